package dev.kvorum.history;

/** A file that is no history. The message names the line. */
public final class MalformedHistoryException extends RuntimeException {
    MalformedHistoryException(int line, String reason, Throwable cause) {
        super("line " + line + ": " + reason, cause);
    }
}
