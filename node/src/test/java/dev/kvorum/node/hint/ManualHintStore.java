package dev.kvorum.node.hint;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.storage.HintBacklog;
import dev.kvorum.node.storage.HintPage;
import dev.kvorum.node.storage.HintStore;
import dev.kvorum.node.storage.StoredHint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import reactor.core.publisher.Mono;

/** Hints in memory, without bound, that answers at once, and fails while the test says so. */
public final class ManualHintStore implements HintStore {
    private static final int BYTES = 100; // Of every hint.

    private final Map<String, TreeMap<Long, StoredHint>> queues = new HashMap<>();
    private long next;
    /** Whether every operation fails. */
    public boolean fails;
    /** Whether old hints are let go when that is asked for. */
    public boolean expires = true;
    /** How many old hints have to go for each new one. */
    public int gone;

    @Override
    public Mono<Integer> put(String member, Key key, Cell cell) {
        return answer(() -> {
            queues.computeIfAbsent(member, id -> new TreeMap<>()).put(next, new StoredHint(next, BYTES, key, cell));
            next++;
            return gone;
        });
    }

    @Override
    public Mono<HintPage> page(String member, long from, int hintsMax, long bytesMax) {
        return answer(() -> new HintPage(
                queues.getOrDefault(member, new TreeMap<>()).tailMap(from).values().stream()
                        .limit(hintsMax)
                        .toList(),
                0));
    }

    @Override
    public Mono<Void> remove(String member, List<StoredHint> hints) {
        return answer(() -> {
                    for (StoredHint hint : hints) {
                        if (queues.getOrDefault(member, new TreeMap<>()).remove(hint.sequence()) == null) {
                            throw new AssertionError("removed twice: " + hint);
                        }
                    }
                    return hints;
                })
                .then();
    }

    @Override
    public Mono<Integer> expire(long millis) {
        return answer(() -> {
            int before = size();
            queues.values()
                    .forEach(queue -> queue.values()
                            .removeIf(hint -> expires && hint.cell().version().millis() < millis));
            return before - size();
        });
    }

    private int size() {
        return queues.values().stream().mapToInt(Map::size).sum();
    }

    private <T> Mono<T> answer(Callable<T> operation) {
        return Mono.fromCallable(() -> {
            if (fails) {
                throw new IllegalStateException("as the test says");
            }
            synchronized (queues) {
                return operation.call();
            }
        });
    }

    @Override
    public Map<String, HintBacklog> waiting() {
        Map<String, HintBacklog> waiting = new HashMap<>();
        queues.forEach((member, queue) -> {
            if (!queue.isEmpty()) {
                long oldest = queue.firstEntry().getValue().cell().version().millis();
                waiting.put(member, new HintBacklog(queue.size(), (long) queue.size() * BYTES, oldest));
            }
        });
        return waiting;
    }

    /** The cells that a member is owed, in order. */
    public List<Cell> owed(String member) {
        List<Cell> cells = new ArrayList<>();
        queues.getOrDefault(member, new TreeMap<>()).values().forEach(hint -> cells.add(hint.cell()));
        return cells;
    }
}
