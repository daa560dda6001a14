package dev.kvorum.node.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Writes that this node keeps for replicas which did not take them, and how it brings them there.
 *
 * @param bytesMax bytes of hints on the disk, 0 or 1MB to 1TB; when they are full, the oldest go. 0 keeps none.
 * @param ageMax how long a hint is kept, 10ms to 30d; it must be shorter than repair.tombstone-grace.
 * @param memory bytes of hints that may wait for the disk, 1MB to 1GB; one more is not kept.
 * @param replayWrites how many hints this node brings to other members per second, 1 to 1000000.
 * @param replayBytes how many bytes of hints it brings to them per second, 64KB to 1GB.
 * @param replayCalls how many hints it brings to one member at a time, 1 to 1024.
 */
@ConfigurationProperties("kvorum.hints")
public record HintSettings(
        @DefaultValue("1GB") DataSize bytesMax,
        @DefaultValue("3h") Duration ageMax,
        @DefaultValue("8MB") DataSize memory,
        @DefaultValue("2000") int replayWrites,
        @DefaultValue("8MB") DataSize replayBytes,
        @DefaultValue("16") int replayCalls) {
    public HintSettings {
        Require.zeroOrRange("kvorum.hints.bytes-max", bytesMax, DataSize.ofMegabytes(1), DataSize.ofTerabytes(1));
        Require.range("kvorum.hints.age-max", ageMax, Duration.ofMillis(10), Duration.ofDays(30));
        Require.range("kvorum.hints.memory", memory, DataSize.ofMegabytes(1), DataSize.ofGigabytes(1));
        Require.range("kvorum.hints.replay-writes", replayWrites, 1, 1_000_000);
        Require.range("kvorum.hints.replay-bytes", replayBytes, DataSize.ofKilobytes(64), DataSize.ofGigabytes(1));
        Require.range("kvorum.hints.replay-calls", replayCalls, 1, 1024);
    }

    /**
     * A hint that outlived the deletion of its value would bring the value back.
     *
     * @throws ContradictorySettingsException if hints are kept as long as deletions are remembered, or longer
     */
    public void requireShorterThan(Duration tombstoneGrace) {
        if (ageMax.compareTo(tombstoneGrace) >= 0) {
            throw new ContradictorySettingsException("kvorum.hints.age-max is " + ageMax.toMillis()
                    + "ms, but must be shorter than kvorum.repair.tombstone-grace, which is "
                    + tombstoneGrace.toMillis() + "ms");
        }
    }
}
