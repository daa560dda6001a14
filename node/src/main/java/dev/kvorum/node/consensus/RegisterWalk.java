package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.storage.RegisterStore;
import dev.kvorum.node.storage.StoredRegister;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads the rows of this node page by page: for what former lives have left open, once, and for what can be forgotten, over and over again. {@link #partition} may be
 * called by any thread, the rest by one at a time.
 */
final class RegisterWalk {
    private static final int PAGE = 256;
    private static final int AT_ONCE_MAX = 64; // The store carries out together what waits together.

    private final RegisterStore store;
    private final Leftovers leftovers;
    private final OpenRegisters open;
    private final Map<Integer, Mono<Void>> read =
            new ConcurrentHashMap<>(); // Partitions, also those that are being read;
    private final Set<Integer> done = ConcurrentHashMap.newKeySet(); // not so here.
    private int partition; // Where the walk has come to.
    private @Nullable Key after;
    private long rows;
    private volatile long rowsOfLast;

    RegisterWalk(RegisterStore store, Leftovers leftovers, OpenRegisters open) {
        this.store = store;
        this.leftovers = leftovers;
        this.open = open;
    }

    /**
     * Goes on for a while.
     *
     * @param bytesMax how many bytes of rows and keys at most, but for those of a page
     * @return whether it has come to the end, and will begin anew
     */
    Mono<Boolean> goOn(long bytesMax) {
        return store.page(partition, after, PAGE).flatMap(page -> {
            boolean isLast = page.size() < PAGE;
            long left = bytesMax - bytesOf(page);
            return Flux.fromIterable(page)
                    .filter(leftovers::isOfInterest)
                    .flatMap(row -> leftovers.look(row.partition(), row.key()), AT_ONCE_MAX)
                    .then(Mono.defer(() -> {
                        goOnBehind(page, isLast);
                        return isLast || left <= 0 ? Mono.just(isLast) : goOn(left);
                    }));
        });
    }

    private void goOnBehind(List<StoredRegister> page, boolean isLast) {
        rows += page.size();
        if (isLast) {
            rowsOfLast = rows;
            rows = 0;
        }
        partition = isLast ? 0 : page.getLast().partition();
        after = isLast ? null : page.getLast().key();
    }

    private static long bytesOf(List<StoredRegister> page) {
        return page.stream()
                .mapToLong(row -> row.key().utf8().length + row.row().length)
                .sum();
    }

    /** How many rows the last walk has come by. Any thread. */
    long rows() {
        return rowsOfLast;
    }

    /**
     * Reads all rows of a partition once in this life, so that those that former ones have left open are known. It goes on when nobody waits for it any more.
     */
    Mono<Void> partition(int wanted) {
        return read.computeIfAbsent(wanted, this::begun);
    }

    /** Whether it has done so. */
    boolean hasRead(int wanted) {
        return done.contains(wanted);
    }

    private Mono<Void> begun(int wanted) {
        return store.page(wanted, null, PAGE)
                .expand(page -> {
                    page.stream().filter(row -> row.partition() == wanted).forEach(this::note);
                    boolean isLast = page.size() < PAGE || page.getLast().partition() != wanted;
                    return isLast
                            ? Mono.empty()
                            : store.page(wanted, page.getLast().key(), PAGE);
                })
                .then()
                .doOnSuccess(all -> done.add(wanted))
                .doOnError(e -> read.remove(wanted)) // Whoever asks next begins anew.
                .cache();
    }

    private void note(StoredRegister stored) {
        Acceptance row = Acceptance.decode(stored.row());
        if (row.isOpen()) {
            open.found(stored.partition(), stored.key(), Leftovers.versionOf(row));
        }
    }
}
