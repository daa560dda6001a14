package dev.kvorum.node.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How far clocks may differ.
 *
 * @param aheadMax how far ahead of this node's clock a version of another may be, 10ms to 1h; one further ahead is refused.
 */
@ConfigurationProperties("kvorum.clock")
public record ClockSettings(@DefaultValue("10s") Duration aheadMax) {
    public ClockSettings {
        Require.range("kvorum.clock.ahead-max", aheadMax, Duration.ofMillis(10), Duration.ofHours(1));
    }
}
