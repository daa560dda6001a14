package dev.kvorum.node.replica;

/** Where features register the handlers of their operations. */
@FunctionalInterface
public interface CallHandlers {
    /** @throws IllegalStateException if the operation has a handler */
    void on(PeerOperation operation, CallHandler handler);
}
