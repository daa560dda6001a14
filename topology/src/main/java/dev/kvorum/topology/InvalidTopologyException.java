package dev.kvorum.topology;

/** A topology that can't be used. The message names the field, what it holds, and what it should hold. */
public final class InvalidTopologyException extends RuntimeException {
    public InvalidTopologyException(String reason) {
        super(reason);
    }

    public InvalidTopologyException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
