package dev.kvorum.node.control;

import dev.kvorum.node.replica.ReplicaFailure;

/** A topology, or what members are told of it, that was not taken, or of which that is not known. */
public final class UnpublishedException extends RuntimeException {
    private final boolean isRefused;

    /** @param isRefused whether it was refused, and is refused again the same way */
    UnpublishedException(String message, boolean isRefused) {
        super(message, null, false, false);
        this.isRefused = isRefused;
    }

    /** How a member has not taken the topology of that epoch. A call without a reply may have been carried out. */
    static UnpublishedException of(ReplicaFailure failure, long epoch) {
        return switch (failure.reason()) {
            case REFUSED -> new UnpublishedException(failure.detail(), true);
            case OVERLOADED -> new UnpublishedException(failure.member() + ": " + failure.detail(), false);
            default ->
                new UnpublishedException(
                        "it is not known whether " + failure.member() + " has taken epoch " + epoch + " ("
                                + failure.detail() + "): look at the status, and resume if a change is running",
                        false);
        };
    }

    public boolean isRefused() {
        return isRefused;
    }
}
