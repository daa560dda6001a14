package dev.kvorum.node.coordinator;

import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.replica.ReplicaHealth;

/** When a read asks another replica because one is late, and how often all reads may. Any thread. */
public final class Hedging {
    private final long delayMin;
    private final long delayMax;
    private final HedgeBudget budget;

    public Hedging(ReadSettings settings) {
        this.delayMin = settings.hedgeDelayMin().toNanos();
        this.delayMax = settings.hedgeDelayMax().toNanos();
        this.budget = new HedgeBudget(settings.hedgeBudget());
    }

    /** How long a replica of that health is waited for, in nanoseconds: its own 99th percentile within the bounds, the upper one if unknown. */
    long delay(ReplicaHealth health, long now) {
        long p99 = health.p99(now);
        return p99 == 0 ? delayMax : Math.clamp(p99, delayMin, delayMax);
    }

    HedgeBudget budget() {
        return budget;
    }
}
