package dev.kvorum.node.membership;

/** A topology that can't follow the one in force; the message says why. */
public final class RefusedTopologyException extends RuntimeException {
    RefusedTopologyException(String reason) {
        super(reason, null, false, false); // An answer to whoever published it.
    }
}
