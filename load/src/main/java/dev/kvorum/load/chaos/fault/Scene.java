package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.LocalCluster;

/**
 * What all faults of a run share.
 *
 * @param claims which nodes are in faults
 * @param turn   of changes of the members, and of damaged disks
 */
public record Scene(LocalCluster cluster, Claims claims, FaultLog log, RunEnd end, Turn turn) {
    /** That of a run which begins. */
    public static Scene of(LocalCluster cluster, FaultLog log) {
        return new Scene(cluster, new Claims(), log, new RunEnd(), new Turn());
    }
}
