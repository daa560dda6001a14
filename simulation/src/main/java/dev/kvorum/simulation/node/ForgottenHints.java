package dev.kvorum.simulation.node;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.storage.HintBacklog;
import dev.kvorum.node.storage.HintPage;
import dev.kvorum.node.storage.HintStore;
import dev.kvorum.node.storage.StoredHint;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Mono;

/** Keeps no hint. What a quorum promises must hold without them: they bring replicas together sooner, and a node may lose all of its own. */
final class ForgottenHints implements HintStore {
    @Override
    public Mono<Integer> put(String member, Key key, Cell cell) {
        return Mono.just(0);
    }

    @Override
    public Mono<HintPage> page(String member, long from, int hintsMax, long bytesMax) {
        return Mono.just(new HintPage(List.of(), 0));
    }

    @Override
    public Mono<Void> remove(String member, List<StoredHint> hints) {
        return Mono.empty();
    }

    @Override
    public Mono<Integer> expire(long millis) {
        return Mono.just(0);
    }

    @Override
    public Map<String, HintBacklog> waiting() {
        return Map.of();
    }
}
