package dev.kvorum.node.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How far clocks may differ.
 *
 * @param aheadMax how far ahead of this node's clock a version of another may be, 10ms to 1h; one further ahead is refused. At least
 *     four kvorum.storage.sync-interval.
 */
@ConfigurationProperties("kvorum.clock")
public record ClockSettings(@DefaultValue("10s") Duration aheadMax) {
    public ClockSettings {
        Require.range("kvorum.clock.ahead-max", aheadMax, Duration.ofMillis(10), Duration.ofHours(1));
    }

    /**
     * A node that starts again issues versions up to two sync intervals ahead of its clock, as it may have done before and not have noted. Others must not refuse those, even
     * where it has been started twice within these intervals.
     *
     * @throws ContradictorySettingsException if four sync intervals are longer than what versions may be ahead
     */
    public void requireRoomFor(Duration syncInterval) {
        if (syncInterval.compareTo(syncIntervalMax()) > 0) {
            throw new ContradictorySettingsException("kvorum.storage.sync-interval is " + syncInterval.toMillis()
                    + "ms, but may be at most a quarter of kvorum.clock.ahead-max, which is " + aheadMax.toMillis()
                    + "ms");
        }
    }

    /** The longest interval for which there is {@linkplain #requireRoomFor room}. */
    public Duration syncIntervalMax() {
        return aheadMax.dividedBy(4);
    }
}
