package dev.kvorum.simulation.node;

import dev.kvorum.history.check.Promises;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a node can do beyond plain quorums, and what its clients are promised for it. Built is what {@link NodeProcess} composes: a feature is
 * added to {@link #BUILT} by the change that adds it there.
 */
public enum Feature {
    /** Writes that a replica missed are kept for it. */
    HINTS,
    /** A read mends the replicas that it meets, before it answers. */
    BLOCKING_READ_REPAIR,
    /** Replicas compare themselves, and mend what differs. */
    ANTI_ENTROPY,
    /** Tombstones are dropped in time. */
    TOMBSTONE_PURGE;

    /** Those that are composed today. */
    public static final Set<Feature> BUILT = EnumSet.noneOf(Feature.class);

    /** Those promises, and what the feature adds. */
    public Promises addTo(Promises promises) {
        return switch (this) {
            case HINTS -> promises;
            case BLOCKING_READ_REPAIR -> promises.withMonotonicReads();
            case ANTI_ENTROPY -> promises.withConvergence();
            case TOMBSTONE_PURGE -> promises.withTombstonesGoing();
        };
    }
}
