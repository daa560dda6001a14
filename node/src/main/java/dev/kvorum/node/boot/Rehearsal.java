package dev.kvorum.node.boot;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.coordinator.AskedQuorum;
import dev.kvorum.node.coordinator.QuorumPolicy;
import dev.kvorum.node.core.NodeCore;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.topology.Member;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The last step before a node serves clients. Each event loop first reaches every member that is up, and then makes the calls of a read and of a write.
 *
 * <p>Without it the first requests after a start fail: they find a connection that is still being made, or spend the time of a call on loading classes.
 * The reads are of keys that nobody stores. The writes carry epoch 0, which every member refuses, so they store nothing.
 */
final class Rehearsal {
    static final Duration BETWEEN = Duration.ofMillis(20);

    private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);
    private static final int READS = 3;
    private static final long NO_EPOCH = 0; // Epochs begin with 1.
    private static final AskedQuorum ALL = new AskedQuorum(QuorumPolicy.UNSAID, QuorumPolicy.UNSAID, Integer.MAX_VALUE);

    private final NodeCore core;
    private final List<? extends Executor> loops;
    private final Predicate<URI> missing;
    private final Deadlines deadlines;

    /**
     * @param loops the event loops that will serve clients
     * @param missing whether a member, by its peers' address, is out of reach; asked on an event loop whose call has failed
     * @param deadlines of the pauses between attempts
     */
    Rehearsal(NodeCore core, List<? extends Executor> loops, Predicate<URI> missing, Deadlines deadlines) {
        this.core = core;
        this.loops = List.copyOf(loops);
        this.missing = missing;
        this.deadlines = deadlines;
    }

    /**
     * Blocks until all loops are done, and at most that long. Members that are down do not prolong it.
     *
     * @param longest 0 for no rehearsal at all
     */
    void make(Duration longest) {
        if (longest.isZero()) {
            return;
        }
        ClusterView view = core.membership().view();
        Key nobodys = Key.of("rehearsal-" + UUID.randomUUID());
        Mono<Boolean> done = Flux.fromIterable(loops)
                .flatMap(loop -> on(Schedulers.fromExecutor(loop), view, nobodys))
                .then(Mono.just(true));
        Mono<Boolean> late = deadlines.after(longest.toNanos()).thenReturn(false);
        if (!Boolean.TRUE.equals(Mono.firstWithSignal(done, late).block())) {
            LOG.warn(
                    "Clients are served, but not all members have answered within {} ms: first requests may fail",
                    longest.toMillis());
        }
    }

    private Mono<Void> on(Scheduler loop, ClusterView view, Key key) {
        return Flux.fromIterable(view.peers())
                .flatMap(peer -> meet(peer, view, loop))
                .collectList()
                .flatMap(met -> Flux.range(0, READS)
                        .concatMap(i -> read(met, view, key, loop))
                        .thenMany(Flux.fromIterable(met).flatMap(peer -> write(peer, key, loop)))
                        .then());
    }

    /**
     * Says that this node is there until the member has heard it, or is missing.
     *
     * @return the member if it has heard it; empty if it is missing
     */
    private Mono<Member> meet(Member member, ClusterView view, Scheduler loop) {
        byte[] self = view.self().getBytes(StandardCharsets.UTF_8);
        return Mono.defer(() -> core.calls().call(member, PeerOperation.HERE, view.epoch(), self))
                .subscribeOn(loop)
                .filter(reply -> !(reply instanceof ReplicaFailure) || missing.test(member.peer()))
                .repeatWhenEmpty(failures -> failures.concatMap(
                        failure -> deadlines.after(BETWEEN.toNanos()).thenReturn(failure)))
                .filter(reply -> !(reply instanceof ReplicaFailure))
                .map(heard -> member);
    }

    /** As a request does, where all members are up. Otherwise only those that are: a rehearsal is no reason to take a member for dead. */
    private Mono<Void> read(List<Member> met, ClusterView view, Key key, Scheduler loop) {
        Mono<Void> reading = met.size() == view.peers().size()
                ? Mono.defer(() -> core.reads().read(key, ALL)).then()
                : Flux.fromIterable(met)
                        .flatMap(peer -> core.replicas().on(peer).read(key, view.epoch()))
                        .then();
        return reading.subscribeOn(loop);
    }

    private Mono<Void> write(Member member, Key key, Scheduler loop) {
        Cell cell = Draft.tombstone().stamp(key, new Version(1, 1), 1);
        return Mono.defer(() -> core.replicas().on(member).write(key, cell, NO_EPOCH))
                .subscribeOn(loop)
                .then();
    }
}
