package dev.kvorum.node.frame;

import org.springframework.web.reactive.function.client.WebClientException;

/**
 * A call that got no reply.
 *
 * <p>Where a peer fails, many calls do at once: so it has no stack, and is an exception of WebClient itself, which wraps any other in one that has.
 */
public final class CallFailedException extends WebClientException {
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
        super(detail);
        this.reason = reason;
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // It touches nothing.
    public Throwable fillInStackTrace() {
        return this;
    }

    public Reason reason() {
        return reason;
    }
}
