package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.config.ReadSettings.Repair;
import dev.kvorum.node.repair.ReadRepair;
import dev.kvorum.node.repair.ReadRepairMetrics;
import dev.kvorum.node.replica.Replica;
import dev.kvorum.node.replica.WriteReply;
import reactor.core.publisher.Mono;

/** What reads do about replicas that are behind, and how often all reads may in the background. Any thread. */
public final class Mending {
    private final Repair mode;
    private final HedgeBudget budget;
    private final ReadRepair repair;

    public Mending(ReadSettings settings, ReadRepair repair) {
        this.mode = settings.readRepair();
        this.budget = new HedgeBudget(settings.repairBudget());
        this.repair = repair;
    }

    Repair mode() {
        return mode;
    }

    /** A read begins. */
    void earn() {
        budget.earn();
    }

    /** Brings the cell to a replica in the background, if the budget allows it. */
    void mend(Replica replica, Key key, Cell cell, long epoch) {
        if (budget.spend()) {
            repair.mend(replica, key, cell, epoch);
        } else {
            metrics().overBudget();
        }
    }

    /** Brings the cell to a replica of a read that waits for it. */
    Mono<WriteReply> write(Replica replica, Key key, Cell cell, long epoch) {
        metrics().sent(1);
        return replica.bring(key, cell, epoch).doOnNext(metrics()::answered);
    }

    ReadRepairMetrics metrics() {
        return repair.metrics();
    }
}
