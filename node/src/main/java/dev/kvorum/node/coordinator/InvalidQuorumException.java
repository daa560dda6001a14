package dev.kvorum.node.coordinator;

/** A quorum that this cluster can't have. The message says why, for the client. */
public final class InvalidQuorumException extends RuntimeException {
    InvalidQuorumException(String reason) {
        super(reason, null, false, false); // A client's mistake needs no stack trace.
    }
}
