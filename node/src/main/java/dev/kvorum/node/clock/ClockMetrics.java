package dev.kvorum.node.clock;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

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
}
