package dev.kvorum.node.control;

import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;

/** A topology that no member has taken. */
public final class UnpublishedException extends RuntimeException {
    private final boolean isRefused;

    /** @param isRefused whether it is refused again the same way */
    UnpublishedException(String message, boolean isRefused) {
        super(message, null, false, false);
        this.isRefused = isRefused;
    }

    UnpublishedException(ReplicaFailure failure) {
        this(
                failure.reason() == Reason.REFUSED ? failure.detail() : failure.member() + ": " + failure.detail(),
                failure.reason() == Reason.REFUSED);
    }

    public boolean isRefused() {
        return isRefused;
    }
}
