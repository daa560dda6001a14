package dev.kvorum.node.command;

/** A command that can't be understood; the message says what was wrong and what would be right. */
final class InvalidCommandException extends RuntimeException {
    InvalidCommandException(String reason) {
        super(reason);
    }
}
