package dev.kvorum.node.repair;

import java.util.List;
import java.util.random.RandomGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Brings this node's copy of one partition up to what others hold; as {@link PartitionSync}. */
final class Pull {
    private static final int ROUNDS_MAX = 3;

    /**
     * A copy to pull from.
     *
     * @param both what its member owes as well
     */
    record Source(PartitionCopy copy, Scope both) {}

    private final LocalCopy local;
    private final Scope wanted;
    private final Pace pace;
    private final RandomGenerator random;

    /** @param wanted what this node owes */
    Pull(LocalCopy local, Scope wanted, Pace pace, RandomGenerator random) {
        this.local = local;
        this.wanted = wanted;
        this.pace = pace;
        this.random = random;
    }

    /** All that a copy has of it. */
    Mono<SyncReport> stream(PartitionCopy remote) {
        return Page.all(start -> pace.ready()
                        .then(Mono.defer(() -> remote.stream(new StreamCall(wanted, start.after()))))
                        .delayUntil(page -> local.store(wanted.partition(), page.cells()))
                        .doOnNext(page -> pace.spend(page.bytes())))
                .map(page -> new SyncReport(page.cells().size(), page.bytes()))
                .reduce(SyncReport.NOTHING, SyncReport::plus);
    }

    /** What this node lacks of what any of them has. What came is verified by comparing again; what is being written meanwhile may make a difference each time. */
    Mono<SyncReport> gather(List<Source> sources) {
        return round(sources, 1);
    }

    private Mono<SyncReport> round(List<Source> sources, int number) {
        long seed = random.nextLong();
        return local.trees(wanted, seed)
                .flatMap(trees -> Flux.fromIterable(sources)
                        .concatMap(source -> new Comparison(local, source.copy, source.both, Strays.NONE, seed, pace)
                                .pull(trees, wanted))
                        .reduce(Exchanged.NOTHING, Exchanged::plus))
                .flatMap(exchanged -> {
                    SyncReport report = new SyncReport(exchanged.pulled(), exchanged.bytes());
                    boolean again = exchanged.pulled() > 0 && number < ROUNDS_MAX;
                    return again ? round(sources, number + 1).map(report::plus) : Mono.just(report);
                });
    }
}
