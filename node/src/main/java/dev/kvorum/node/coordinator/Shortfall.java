package dev.kvorum.node.coordinator;

import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.util.List;

/**
 * What is known of a request that missed its quorum.
 *
 * @param acks how many replicas succeeded until then
 * @param failures those that failed until then, and why
 */
public record Shortfall(Quorum quorum, int acks, List<ReplicaFailure> failures) {
    public Shortfall {
        failures = List.copyOf(failures);
    }

    /** Whether all failures are refusals for lack of room: worth another try soon. */
    public boolean isOverload() {
        return !failures.isEmpty() && failures.stream().allMatch(failure -> failure.reason() == Reason.OVERLOADED);
    }
}
