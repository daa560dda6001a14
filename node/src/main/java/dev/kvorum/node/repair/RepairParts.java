package dev.kvorum.node.repair;

import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.PeerCalls;
import dev.kvorum.node.replica.Replica;
import dev.kvorum.node.storage.PartitionStore;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What repair works with, all of it from outside.
 *
 * @param verifications those of former lives are loaded
 * @param local reads and stores single cells of this node
 * @param wallMillis milliseconds since 1970
 * @param aliveSince as {@link MemberLife#since}
 * @param random any thread may ask it
 * @param restPerKib nanoseconds to rest for each KiB that is scanned; any thread may ask it
 * @param busy whether clients or the disk have so much to do that repair should wait; any thread may ask it
 */
public record RepairParts(
        Membership membership,
        PartitionStore store,
        Verifications verifications,
        Replica local,
        PeerCalls calls,
        Deadlines deadlines,
        LongSupplier wallMillis,
        LongSupplier aliveSince,
        RandomGenerator random,
        LongSupplier restPerKib,
        BooleanSupplier busy) {}
