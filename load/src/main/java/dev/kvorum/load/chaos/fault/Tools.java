package dev.kvorum.load.chaos.fault;

import dev.kvorum.history.DiskLoss;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What faults need beside the processes of the nodes.
 *
 * @param disks    that can be filled, by the ids of their nodes
 * @param clocks   of the nodes; empty if nobody can set them here
 * @param aheadMax {@code kvorum.clock.ahead-max} of the nodes
 * @param grace    {@code kvorum.repair.tombstone-grace} of the nodes
 * @param nanos    since the beginning of the history
 * @param losses   hears what disks have lost
 */
public record Tools(
        Map<String, NodeDisk> disks,
        Optional<NodeClocks> clocks,
        Duration aheadMax,
        Duration grace,
        LongSupplier nanos,
        Consumer<DiskLoss> losses) {
    public Tools {
        disks = Map.copyOf(disks);
    }
}
