package dev.kvorum.node.clock;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.DoubleSupplier;

/** How this node's clocks compare with those of the other members. */
public final class ClockMetrics {
    private ClockMetrics() {}

    public static void watch(ClockWatch clocks, MeterRegistry meters) {
        Gauge.builder("kvorum.clock.offset.seconds", clocks, ClockWatch::offsetSeconds)
                .description(
                        "How far the time of this node's versions is ahead of that of most members; not a number where most are not heard")
                .register(meters);
        Gauge.builder("kvorum.clock.spread.seconds", clocks, ClockWatch::spreadSeconds)
                .description("How far the clock of any other member is from this node's, at most, either way")
                .register(meters);
        Gauge.builder("kvorum.clock.wall.offset.seconds", clocks, ClockWatch::wallOffsetSeconds)
                .description(
                        "How far this node's wall clock is ahead of those of most members; not a number where most are not heard")
                .register(meters);
        Gauge.builder("kvorum.clock.skewed", clocks, watch -> watch.isSkewed() ? 1 : 0)
                .description(
                        "1 while this node takes no plain writes, as its clock is too far from those of most members")
                .register(meters);
    }

    /** @param issuedAhead how many seconds the node's newest version is too far ahead; 0 if it is not. Any thread */
    public static void watchIssued(DoubleSupplier issuedAhead, MeterRegistry meters) {
        Gauge.builder("kvorum.clock.issued.ahead.seconds", issuedAhead, DoubleSupplier::getAsDouble)
                .description(
                        "How far ahead the newest version is that this node has issued, while that is too far and it takes no plain writes; else 0")
                .strongReference(true)
                .register(meters);
    }
}
