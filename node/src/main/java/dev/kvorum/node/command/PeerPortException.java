package dev.kvorum.node.command;

/** A node that could not be asked, or did not do as it was asked. */
final class PeerPortException extends RuntimeException {
    private final int status;

    /** @param status of its answer; 0 if there was none */
    PeerPortException(String reason, int status) {
        super(reason);
        this.status = status;
    }

    int status() {
        return status;
    }
}
