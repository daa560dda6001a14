package dev.kvorum.operator.reconciler;

/** What a cluster needs is there already, and somebody else's. */
final class NameTakenException extends RuntimeException {
    NameTakenException(String reason) {
        super(reason);
    }
}
