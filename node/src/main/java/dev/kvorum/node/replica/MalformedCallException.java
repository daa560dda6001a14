package dev.kvorum.node.replica;

/** The body of a call, or of a reply, that is not what it should be. */
public final class MalformedCallException extends RuntimeException {
    public MalformedCallException(String reason) {
        super(reason, null, false, false); // Thrown for whatever a peer sends: it must stay cheap.
    }
}
