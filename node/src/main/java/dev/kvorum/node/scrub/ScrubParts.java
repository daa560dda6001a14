package dev.kvorum.node.scrub;

import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.repair.Backpressure;
import dev.kvorum.node.storage.NoteStore;
import dev.kvorum.node.storage.StoreChecks;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What a scrub works with, all of it from outside.
 *
 * @param partitions of the cluster
 * @param millis milliseconds since 1970
 * @param aheadFrom versions from that millisecond since 1970 on are too far ahead; any thread may ask
 * @param random any thread may ask it
 */
public record ScrubParts(
        StoreChecks checks,
        NoteStore notes,
        int partitions,
        Deadlines deadlines,
        LongSupplier millis,
        LongSupplier aheadFrom,
        RandomGenerator random,
        Backpressure backpressure) {}
