package dev.kvorum.node.copy;

import dev.kvorum.node.replica.ReplicaFailure;

/** A copy that can't be reached or used now. What was done until then is not lost, as cells merge. */
public final class CopyUnavailableException extends RuntimeException {
    private final ReplicaFailure failure;

    public CopyUnavailableException(ReplicaFailure failure) {
        super(
                failure.member() + ": " + failure.detail(),
                null,
                false,
                false); // Every second one while a member is down.
        this.failure = failure;
    }

    public ReplicaFailure failure() {
        return failure;
    }
}
