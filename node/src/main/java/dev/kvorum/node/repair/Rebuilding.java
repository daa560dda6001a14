package dev.kvorum.node.repair;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.PeerOperation;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Asks for runs of the partitions that this node has lost, until it has them again. Every member is needed for that, and a run costs a walk through the partition on each:
 *
 * <pre>
 * a partition                       is asked for
 * not tried yet                     at once: those who can be reached give what they have
 * tried, some can't be reached      not at all
 * tried, all can be reached again   at once
 * tried, all can be reached         after a pause from {@value #PAUSE_SECONDS_MIN} s on, twice as long each time, up to {@value #PAUSE_SECONDS_MAX} s
 * </pre>
 *
 * Any thread.
 */
final class Rebuilding {
    static final int PAUSE_SECONDS_MIN = 2;
    static final int PAUSE_SECONDS_MAX = 256;
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final byte[] NOTHING = {};

    private final RepairParts parts;
    private final IntFunction<Mono<RepairOutcome>> repair;
    private final Disposable.Swap next = Disposables.swap();
    private final BitSet asked = new BitSet();
    private final int[] tries;
    private final long[] notBefore;
    private boolean reachable = true;
    private volatile boolean started;

    /** @param repair asks for a run of one partition */
    Rebuilding(RepairParts parts, IntFunction<Mono<RepairOutcome>> repair) {
        this.parts = parts;
        this.repair = repair;
        this.tries = new int[parts.verifications().partitions()];
        this.notBefore = new long[tries.length];
    }

    /** The partitions of this node that it has lost and not been given again. */
    List<Integer> lost(ClusterView view) {
        return IntStream.range(0, tries.length)
                .filter(partition ->
                        parts.verifications().isRebuilding(partition) && Ranks.now(view, partition, view.self()) >= 0)
                .boxed()
                .toList();
    }

    /** Begins to look. */
    void start() {
        started = true;
        look();
    }

    /** Looks whether something is lost, and again after a while as long as something is. */
    private void look() {
        ClusterView view = parts.membership().view();
        List<Integer> lost = lost(view);
        if (!lost.isEmpty()) {
            lookAfter(LOOK_NANOS, this::look);
            var _ = reachesAll(view).subscribe(all -> ask(lost, all));
        }
    }

    /** As soon as that is in force: who follows it is told before. */
    void look(ClusterView next) {
        if (!started) {
            return;
        }
        if (parts.membership().view().epoch() < next.epoch()) {
            lookAfter(SOON_NANOS, () -> look(next));
        } else {
            look();
        }
    }

    private void lookAfter(long nanos, Runnable look) {
        next.update(parts.deadlines().after(nanos).subscribe(none -> {}, e -> {}, look));
    }

    /** By a call that costs nobody anything. */
    private Mono<Boolean> reachesAll(ClusterView view) {
        return Flux.fromIterable(view.peers())
                .flatMap(member -> parts.calls().call(member, PeerOperation.REPAIR_LIFE, view.epoch(), NOTHING))
                .all(reply -> reply instanceof CallReply.Done);
    }

    private void ask(List<Integer> lost, boolean all) {
        for (int partition : due(lost, all)) {
            var _ = repair.apply(partition).subscribe(outcome -> tried(partition), e -> tried(partition));
        }
    }

    private synchronized List<Integer> due(List<Integer> lost, boolean all) {
        if (all && !reachable) {
            Arrays.fill(notBefore, Long.MIN_VALUE);
        }
        reachable = all;
        long now = parts.deadlines().now();
        List<Integer> due = lost.stream()
                .filter(partition -> !asked.get(partition))
                .filter(partition -> tries[partition] == 0 || (all && now >= notBefore[partition]))
                .toList();
        due.forEach(asked::set);
        return due;
    }

    /** Whatever came of it: if the partition was regained it is not lost any more. */
    private synchronized void tried(int partition) {
        asked.clear(partition);
        int doublings = Math.min(tries[partition]++, Integer.SIZE / 2);
        long seconds = Math.min((long) PAUSE_SECONDS_MIN << doublings, PAUSE_SECONDS_MAX);
        notBefore[partition] = parts.deadlines().now() + TimeUnit.SECONDS.toNanos(seconds);
    }

    void close() {
        next.dispose();
    }
}
