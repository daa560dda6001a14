package dev.kvorum.node.repair;

import dev.kvorum.node.copy.Page;
import dev.kvorum.node.copy.PartitionCopy;
import dev.kvorum.node.copy.Scope;
import dev.kvorum.node.copy.Strays;
import dev.kvorum.node.copy.StreamCall;
import java.util.List;
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

    private final OwnSide own;
    private final Scope wanted;

    /** @param wanted what this node owes */
    Pull(OwnSide own, Scope wanted) {
        this.own = own;
        this.wanted = wanted;
    }

    /** All that a copy has of it. */
    Mono<SyncReport> stream(PartitionCopy remote) {
        return Page.all(start -> own.pace()
                        .ready()
                        .then(Mono.defer(() -> remote.stream(new StreamCall(wanted, start.after()))))
                        .delayUntil(page -> own.copy().store(wanted.partition(), page.cells()))
                        .doOnNext(page -> own.pace().spend(page.bytes())))
                .map(page -> new SyncReport(page.cells().size(), page.bytes()))
                .reduce(SyncReport.NOTHING, SyncReport::plus);
    }

    /** What this node lacks of what any of them has. What came is verified by comparing again; what is being written meanwhile may make a difference each time. */
    Mono<SyncReport> gather(List<Source> sources) {
        return round(sources, 1);
    }

    private Mono<SyncReport> round(List<Source> sources, int number) {
        long seed = own.nextSeed();
        return own.copy()
                .trees(wanted, seed)
                .flatMap(trees -> Flux.fromIterable(sources)
                        .concatMap(source -> own.with(source.copy, source.both, Strays.NONE, seed)
                                .pull(trees, wanted))
                        .reduce(Exchanged.NOTHING, Exchanged::plus))
                .flatMap(exchanged -> {
                    SyncReport report = new SyncReport(exchanged.pulled(), exchanged.bytes());
                    boolean again = exchanged.pulled() > 0 && number < ROUNDS_MAX;
                    return again ? round(sources, number + 1).map(report::plus) : Mono.just(report);
                });
    }
}
