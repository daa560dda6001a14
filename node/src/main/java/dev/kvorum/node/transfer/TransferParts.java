package dev.kvorum.node.transfer;

import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.repair.PartitionSync;
import dev.kvorum.node.storage.NoteStore;
import dev.kvorum.node.storage.PartitionDrops;
import dev.kvorum.node.storage.PartitionStore;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * What transfer works with, all of it from outside.
 *
 * @param wallMillis milliseconds since 1970
 * @param lastMember when this node knew itself for a member before its present life, in milliseconds since 1970: where it has missed epochs, nothing later is certain
 * @param grace how long deletions are kept at least: what was not given back by then may have been deleted since
 * @param bytesPerSecondMax the limit that {@code sync} keeps; only told to others here
 */
public record TransferParts(
        Membership membership,
        PartitionSync sync,
        PartitionStore store,
        PartitionDrops drops,
        NoteStore notes,
        Deadlines deadlines,
        LongSupplier wallMillis,
        LongSupplier lastMember,
        Duration grace,
        long bytesPerSecondMax) {}
