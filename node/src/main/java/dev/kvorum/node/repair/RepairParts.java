package dev.kvorum.node.repair;

import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.OwnReplica;
import dev.kvorum.node.replica.PeerCalls;
import dev.kvorum.node.storage.PartitionStore;
import dev.kvorum.node.verification.MemberLife;
import dev.kvorum.node.verification.Verifications;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What repair works with, all of it from outside.
 *
 * @param verifications those of former lives are loaded
 * @param local reads and stores single cells of this node
 * @param wallMillis milliseconds since 1970
 * @param aheadFrom versions from that millisecond since 1970 on are further ahead than clocks may be, and refused
 * @param alive the life of this member until now; any thread may ask it
 * @param random any thread may ask it
 */
public record RepairParts(
        Membership membership,
        PartitionStore store,
        Verifications verifications,
        OwnReplica local,
        PeerCalls calls,
        Deadlines deadlines,
        LongSupplier wallMillis,
        LongSupplier aheadFrom,
        Supplier<MemberLife> alive,
        RandomGenerator random,
        Backpressure backpressure) {}
