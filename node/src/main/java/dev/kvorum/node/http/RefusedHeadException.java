package dev.kvorum.node.http;

/** Marks a head that a guard has refused before it was whole. The refusal takes its turn behind the answers to earlier requests. */
final class RefusedHeadException extends RuntimeException {
    private final transient Refusal refusal;

    RefusedHeadException(Refusal refusal) {
        super("The head of a request is refused", null, false, false);
        this.refusal = refusal;
    }

    Refusal refusal() {
        return refusal;
    }
}
