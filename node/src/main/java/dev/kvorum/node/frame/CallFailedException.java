package dev.kvorum.node.frame;

/** A call that got no reply. */
public final class CallFailedException extends RuntimeException {
    /** Why there is no reply. */
    public enum Reason {
        /** There is no connection, or it broke before the reply came. */
        UNREACHABLE,
        /** The reply did not come in time. */
        TIMED_OUT,
        /** Too much is in flight to the peer; nothing was sent. */
        OVERLOADED,
        /** The peer does not talk to this node, for instance because it belongs to another cluster. */
        REFUSED
    }

    private final Reason reason;

    public CallFailedException(Reason reason, String detail) {
        super(detail, null, false, false); // Where a peer fails, many calls do at once: it must stay cheap.
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
