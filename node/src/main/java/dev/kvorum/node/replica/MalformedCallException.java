package dev.kvorum.node.replica;

/** A call, or the answer to one, that is not what it should be. */
public final class MalformedCallException extends RuntimeException {
    MalformedCallException(String reason) {
        super(reason);
    }
}
