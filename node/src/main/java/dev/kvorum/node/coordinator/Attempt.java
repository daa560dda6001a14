package dev.kvorum.node.coordinator;

import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;

/** One of the {@link Attempts} at a request, as the attempt itself sees it. Its signals come one at a time, and so do its questions. */
public interface Attempt {
    /** When the request has to be answered, by the clock of the deadlines: the same for all of its attempts. */
    long deadline();

    /**
     * Whether a newer plan has taken the place of this attempt's, while a client still waits. The attempt must then complete empty: the next one
     * goes by that plan.
     */
    boolean isSuperseded();

    /**
     * Whether another attempt by the same plan can follow this one: a client still waits, and there were not too many. This attempt must then complete empty.
     */
    boolean repeats();

    /**
     * As {@link #isSuperseded()}, asked only where a failure casts doubt on the plan: a replica refused it as stale, or the quorum is out of reach.
     *
     * @param isLost whether the failures so far put the quorum out of reach, and not for lack of room alone
     */
    default boolean isSuperseded(ReplicaFailure failure, boolean isLost) {
        return (failure.reason() == Reason.STALE || isLost) && isSuperseded();
    }

    /** As {@link #isSuperseded()}, asked only where a quorum was missed, and not for lack of room alone. */
    default boolean isSuperseded(Shortfall shortfall) {
        return !shortfall.isOverload() && isSuperseded();
    }
}
