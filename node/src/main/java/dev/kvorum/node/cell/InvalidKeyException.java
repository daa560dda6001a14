package dev.kvorum.node.cell;

/** Bytes that can't be a key. The message says why, for the client. */
public final class InvalidKeyException extends RuntimeException {
    public InvalidKeyException(String reason) {
        super(reason, null, false, false); // A client's mistake needs no stack trace.
    }
}
