package dev.kvorum.node.repair;

import dev.kvorum.node.storage.KeyRange;
import java.util.random.RandomGenerator;
import reactor.core.publisher.Mono;

/** Brings this node's copy of one partition up to what another holds; as {@link PartitionSync}. */
final class Pull {
    private static final int ROUNDS_MAX = 3;

    private final LocalCopy local;
    private final PartitionCopy remote;
    private final Scope wanted;
    private final Scope both;
    private final Pace pace;
    private final RandomGenerator random;
    private long cells;
    private long bytes;

    /**
     * @param wanted what this node owes
     * @param both what the other owes as well
     */
    Pull(LocalCopy local, PartitionCopy remote, Scope wanted, Scope both, Pace pace, RandomGenerator random) {
        this.local = local;
        this.remote = remote;
        this.wanted = wanted;
        this.both = both;
        this.pace = pace;
        this.random = random;
    }

    Mono<SyncReport> carryOut() {
        return local.scan(KeyRange.of(wanted.partition()), (key, cell) -> false)
                .flatMap(first -> first.cells() == 0 ? stream() : Mono.empty())
                .then(Mono.defer(() -> round(1)));
    }

    private Mono<Void> stream() {
        return Page.all(start -> pace.ready()
                        .then(Mono.defer(() -> remote.stream(new StreamCall(wanted, start.after()))))
                        .delayUntil(page -> local.store(page.cells()))
                        .doOnNext(page -> {
                            count(page.cells().size(), page.bytes());
                            pace.spend(page.bytes());
                        }))
                .then();
    }

    /** Compares; where that finds something, what came is verified by comparing again. */
    private Mono<SyncReport> round(int number) {
        long seed = random.nextLong();
        Comparison comparison = new Comparison(local, remote, both, Strays.NONE, seed, pace);
        return local.trees(both, seed)
                .flatMap(trees -> comparison.pull(trees, wanted).flatMap(exchanged -> {
                    count(exchanged.pulled(), exchanged.bytes());
                    boolean again = exchanged.pulled() > 0 && number < ROUNDS_MAX;
                    return again ? round(number + 1) : Mono.just(report(exchanged));
                }));
    }

    private SyncReport report(Exchanged last) {
        return new SyncReport(last.equals(Exchanged.NOTHING), cells, bytes);
    }

    private void count(long moreCells, long moreBytes) {
        cells += moreCells;
        bytes += moreBytes;
    }
}
