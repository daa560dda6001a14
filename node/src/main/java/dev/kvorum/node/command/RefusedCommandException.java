package dev.kvorum.node.command;

/** A command that can't be carried out and has changed nothing; the message says why, and what to do. */
final class RefusedCommandException extends RuntimeException {
    RefusedCommandException(String reason) {
        super(reason);
    }
}
