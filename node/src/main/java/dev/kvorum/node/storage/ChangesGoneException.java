package dev.kvorum.node.storage;

/** The log does not reach back as far as somebody asked, or can't be read. */
public final class ChangesGoneException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ChangesGoneException(String message) {
        super(message);
    }
}
