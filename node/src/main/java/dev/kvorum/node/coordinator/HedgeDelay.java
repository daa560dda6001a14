package dev.kvorum.node.coordinator;

import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.replica.ReplicaHealth;

/**
 * How long a replica is waited for before another is asked: its own 99th percentile, within bounds. Any thread.
 *
 * @param min nanoseconds
 * @param max nanoseconds
 */
public record HedgeDelay(long min, long max) {
    public static HedgeDelay of(ReadSettings settings) {
        return new HedgeDelay(
                settings.hedgeDelayMin().toNanos(), settings.hedgeDelayMax().toNanos());
    }

    /** In nanoseconds; the upper bound where its percentile is not known. */
    long on(ReplicaHealth health, long now) {
        long p99 = health.p99(now);
        return p99 == 0 ? max : Math.clamp(p99, min, max);
    }
}
