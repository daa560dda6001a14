package dev.kvorum.node.transfer;

import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.repair.PartitionSync;
import dev.kvorum.node.storage.NoteStore;
import dev.kvorum.node.storage.PartitionDrops;
import dev.kvorum.node.storage.PartitionStore;

/**
 * What transfer works with, all of it from outside.
 *
 * @param bytesPerSecondMax the limit that {@code sync} keeps; only told to others here
 */
public record TransferParts(
        Membership membership,
        PartitionSync sync,
        PartitionStore store,
        PartitionDrops drops,
        NoteStore notes,
        Deadlines deadlines,
        DataAge age,
        long bytesPerSecondMax) {}
