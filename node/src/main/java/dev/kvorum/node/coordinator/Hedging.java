package dev.kvorum.node.coordinator;

import dev.kvorum.node.config.ReadSettings;

/** When a read asks another replica because one is late, and how often all reads may. Any thread. */
public final class Hedging {
    private final HedgeDelay delay;
    private final HedgeBudget budget;

    public Hedging(ReadSettings settings) {
        this.delay = HedgeDelay.of(settings);
        this.budget = new HedgeBudget(settings.hedgeBudget());
    }

    HedgeDelay delay() {
        return delay;
    }

    HedgeBudget budget() {
        return budget;
    }
}
