package dev.kvorum.simulation.fault;

import dev.kvorum.simulation.node.Cluster;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.MachineClock;
import java.time.Duration;
import java.util.Locale;

/** Clocks that are set wrongly, and clocks that run too fast or too slow. */
public final class ClockFaults {
    private static final long JUMP_MILLIS_MIN = 10;
    private static final long JUMP_MILLIS_MAX = 600_000;
    private static final long RESET_MILLIS_MIN = 60_000;
    private static final long OFF_NANOS_MIN = 10_000_000;
    private static final long OFF_NANOS_MAX = 500_000_000;

    /** By how much a clock runs too fast or too slow at most. */
    public static final double DRIFT_MAX = 0.05;

    private ClockFaults() {}

    /** When it is over the clock is set back to where it was. */
    static Fault jump(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        Duration by = Duration.ofMillis(chance.spread(JUMP_MILLIS_MIN, JUMP_MILLIS_MAX));
        return set(node, chance.is(0.5) ? by : by.negated(), cluster);
    }

    /** As {@link #jump}, always of the same machine: the other clocks are a majority that is right. */
    static Fault step(Cluster cluster, Chance chance) {
        String node = cluster.names().getFirst();
        Duration by = Duration.ofMillis(chance.spread(JUMP_MILLIS_MIN, JUMP_MILLIS_MAX));
        return set(node, chance.is(0.5) ? by : by.negated(), cluster);
    }

    private static Fault set(String node, Duration jump, Cluster cluster) {
        MachineClock clock = cluster.machine(node).clock();
        return new Fault(
                "clock of " + node + " is set " + jump.toMillis() + " ms ahead",
                () -> clock.set(jump),
                () -> clock.set(jump.negated()));
    }

    /** A machine that has lost the time when it was off: its node begins by a clock that shows what has long passed, until that is set right. */
    static Fault reset(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        Duration back = Duration.ofMillis(chance.from(RESET_MILLIS_MIN, JUMP_MILLIS_MAX));
        long off = chance.spread(OFF_NANOS_MIN, OFF_NANOS_MAX);
        MachineClock clock = cluster.machine(node).clock();
        return new Fault(
                "process of " + node + " is killed, and starts by a clock that is " + back.toMillis() + " ms behind",
                () -> {
                    cluster.kill(node);
                    clock.set(back.negated());
                    var _ = cluster.world().timeline().after(off, () -> cluster.start(node));
                },
                () -> clock.set(back));
    }

    static Fault drift(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.names());
        double rate = 1 + DRIFT_MAX * (2 * chance.fraction() - 1);
        MachineClock clock = cluster.machine(node).clock();
        return new Fault(
                String.format(Locale.ROOT, "clock of %s runs at %.4f", node, rate),
                () -> clock.run(rate),
                () -> clock.run(1));
    }
}
