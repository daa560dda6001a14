package dev.kvorum.simulation.run;

import dev.kvorum.simulation.node.Cluster;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.Timeline;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** What all simulations do alike with their cluster, before the load and behind it. */
final class Course {
    private static final long SECOND = 1_000_000_000;
    private static final long CHANGING = 300 * SECOND;
    private static final long REBUILDING = 60 * SECOND;

    private final Profile profile;
    private final Promised promised;
    private final Cluster cluster;
    private final Timeline timeline;
    private final Bugs bugs;

    Course(Profile profile, Promised promised, Cluster cluster, Timeline timeline, Bugs bugs) {
        this.profile = profile;
        this.promised = promised;
        this.cluster = cluster;
        this.timeline = timeline;
        this.bugs = bugs;
    }

    void setClocks(Chance chance) {
        long skew = profile.clocks().skewMillisMax();
        cluster.machines().forEach(machine -> {
            machine.clock().set(Duration.ofMillis(chance.from(-skew, skew)));
            machine.clock().run(1 + profile.clocks().driftMax() * (2 * chance.fraction() - 1));
        });
    }

    /**
     * A change of the members comes to its end when the faults have. Where a clock was far ahead it may have to be taken back: what was written by that is taken by no
     * other node until its time has come.
     */
    void endChanges() {
        awaitRefused();
        awaitChange();
        if (!promised.converges()) {
            cluster.operator().cancel();
            awaitChange();
        }
        if (!cluster.operator().isIdle()) {
            bugs.add("A change of the members has no end: " + cluster.topology());
        }
    }

    /** A member that waits for another to be rebuilt starts in the end; else a person decides. */
    private void awaitRefused() {
        runUntil(() -> !cluster.isAnyRefused(), REBUILDING);
        cluster.emptyRefused();
    }

    private void awaitChange() {
        runUntil(cluster.operator()::isIdle, CHANGING);
    }

    /** Lets time pass until that is so, for so many nanoseconds at most. */
    void runUntil(BooleanSupplier reached, long max) {
        long end = timeline.now() + max;
        while (!reached.getAsBoolean() && timeline.now() < end) {
            timeline.runUntil(timeline.now() + SECOND);
        }
    }

    /** Of clients, in nanoseconds: longer than a node needs to say that it is too late. */
    long patience() {
        return 2 * profile.settings().quorum().deadline().toNanos();
    }
}
