package dev.kvorum.node.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Comparing this node's data with that of the others, and dropping what is deleted.
 *
 * @param interval how often each partition is compared with all members that hold it, 1s to 30d; 0 for on demand only. What is deleted is dropped by these
 *     comparisons alone.
 * @param settling versions younger than that are left out of scheduled comparisons, as they may still be on their way, 0 to 1h.
 * @param rate bytes per second of lists and cells that this node exchanges with others to repair or to move partitions, 64KB to 1TB.
 * @param scanRate bytes per second that this node reads to compare its data, whoever asks for it, 64KB to 1TB.
 * @param loadMax percent of the processors in use, whoever uses them, above which repairing and moving data rest between their steps, longer and longer up to 24 ms
 *     each, 1 to 100; with 100 they never do.
 * @param scrubInterval how often this node reads all that it stores and checks it, so that a disk that changes what nobody reads is found before a second one does, 1s to 365d; 0 for on demand only.
 * @param scrubRate bytes per second that it reads for that, 64KB to 1TB.
 * @param tombstoneGrace how long all members must have held a deletion before it is dropped, and how long a node may be away before it rejoins as an
 *     empty one, 1s to 3650d. The same on all members, and longer than hints are kept.
 */
@ConfigurationProperties("kvorum.repair")
public record RepairSettings(
        @DefaultValue("6h") Duration interval,
        @DefaultValue("10s") Duration settling,
        @DefaultValue("8MB") DataSize rate,
        @DefaultValue("32MB") DataSize scanRate,
        @DefaultValue("40") int loadMax,
        @DefaultValue("7d") Duration scrubInterval,
        @DefaultValue("8MB") DataSize scrubRate,
        @DefaultValue("10d") Duration tombstoneGrace) {
    private static final DataSize RATE_MIN = DataSize.ofKilobytes(64);
    private static final DataSize RATE_MAX = DataSize.ofTerabytes(1);

    public RepairSettings {
        if (!interval.isZero()) {
            Require.range("kvorum.repair.interval", interval, Duration.ofSeconds(1), Duration.ofDays(30));
        }
        Require.range("kvorum.repair.settling", settling, Duration.ZERO, Duration.ofHours(1));
        Require.range("kvorum.repair.rate", rate, RATE_MIN, RATE_MAX);
        Require.range("kvorum.repair.scan-rate", scanRate, RATE_MIN, RATE_MAX);
        Require.range("kvorum.repair.load-max", loadMax, 1, 100);
        if (!scrubInterval.isZero()) {
            Require.range("kvorum.repair.scrub-interval", scrubInterval, Duration.ofSeconds(1), Duration.ofDays(365));
        }
        Require.range("kvorum.repair.scrub-rate", scrubRate, RATE_MIN, RATE_MAX);
        Require.range("kvorum.repair.tombstone-grace", tombstoneGrace, Duration.ofSeconds(1), Duration.ofDays(3650));
    }
}
