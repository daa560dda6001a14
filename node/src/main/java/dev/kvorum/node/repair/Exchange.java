package dev.kvorum.node.repair;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.copy.CellsCall;
import dev.kvorum.node.copy.CopyUnavailableException;
import dev.kvorum.node.copy.KeyedCell;
import dev.kvorum.node.copy.ListCall;
import dev.kvorum.node.copy.ListPage;
import dev.kvorum.node.copy.LocalCopy;
import dev.kvorum.node.copy.Pace;
import dev.kvorum.node.copy.Page;
import dev.kvorum.node.copy.PartitionCopy;
import dev.kvorum.node.copy.StoreCall;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.Scanned;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Brings two copies together in the leaves in which they differ: the other lists what it has there, page by page, and a {@link Join} with what is here
 * says what goes which way. Memory holds a page of each. Good for one time.
 */
final class Exchange {
    private final LocalCopy local;
    private final PartitionCopy remote;
    private final ListCall first;
    private final Join join;
    private final Pace pace;
    private long pulled;
    private long pushed;
    private long bytes;

    /** @param first asks for the beginning of the list */
    Exchange(LocalCopy local, PartitionCopy remote, ListCall first, Join join, Pace pace) {
        this.local = local;
        this.remote = remote;
        this.first = first;
        this.join = join;
        this.pace = pace;
    }

    /** Fails with {@link CopyUnavailableException} where it can't go on; what was exchanged by then stays. */
    Mono<Exchanged> carryOut() {
        return Page.all(start -> pace.ready()
                        .then(Mono.defer(() -> remote.list(
                                new ListCall(first.partition(), first.shape(), first.leaves(), start.after()))))
                        .delayUntil(page -> stretch(page, start.after())))
                .then(Mono.fromSupplier(
                        () -> new Exchanged(pulled, pushed, bytes, join.lacked(), join.hasAhead(), join.hasUnseen())));
    }

    /** What lies between the end of the page before and the end of this one. */
    private Mono<Void> stretch(ListPage page, @Nullable Key after) {
        count(page.bytes());
        join.list(page.listed());
        KeyRange range = new KeyRange(first.partition(), after, page.last());
        return local.scan(range, join)
                .expand(scanned -> scanned.isWhole() ? Mono.empty() : Mono.defer(() -> goOn(range, scanned)))
                .then(Mono.defer(() -> {
                    join.endOfStretch();
                    return carry();
                }));
    }

    private Mono<Scanned> goOn(KeyRange range, Scanned before) {
        return carry().then(Mono.defer(() -> local.scan(range.from(before.last()), join)));
    }

    private Mono<Void> carry() {
        return push(join.takeOffered()).then(Mono.defer(() -> pull(join.takeWanted())));
    }

    private Mono<Void> push(List<KeyedCell> cells) {
        return Flux.fromIterable(batches(cells))
                .concatMap(batch -> pace.ready()
                        .then(Mono.defer(() -> remote.store(new StoreCall(first.partition(), batch))))
                        .doOnSuccess(done -> {
                            pushed += batch.size();
                            count(batch.stream().mapToLong(KeyedCell::bytes).sum());
                        }))
                .then();
    }

    /** None longer than a page, unless by its only cell. */
    static List<List<KeyedCell>> batches(List<KeyedCell> cells) {
        List<List<KeyedCell>> batches = new ArrayList<>();
        long bytes = 0;
        for (KeyedCell cell : cells) {
            bytes += cell.bytes();
            if (batches.isEmpty() || bytes > PeerProtocol.PAGE_BYTES) {
                batches.add(new ArrayList<>());
                bytes = cell.bytes();
            }
            batches.getLast().add(cell);
        }
        return batches;
    }

    private Mono<Void> pull(List<Key> keys) {
        if (keys.isEmpty()) {
            return Mono.empty();
        }
        return pace.ready()
                .then(Mono.defer(() -> remote.cells(new CellsCall(first.partition(), keys))))
                .delayUntil(page -> local.store(first.partition(), page.cells()))
                .flatMap(page -> {
                    pulled += page.cells().size();
                    count(page.bytes());
                    return pull(behind(keys, page.last()));
                });
    }

    private static List<Key> behind(List<Key> keys, @Nullable Key last) {
        if (last == null) {
            return List.of();
        }
        int at = keys.indexOf(last);
        if (at < 0) {
            throw new IllegalStateException("a page ends at \"" + last + "\", which was not asked for");
        }
        return keys.subList(at + 1, keys.size());
    }

    private void count(long more) {
        bytes += more;
        pace.spend(more);
    }
}
