package dev.kvorum.node.storage;

/** A data directory that this node must not or can't use. */
public final class DataDirectoryException extends RuntimeException {
    private final String remedy;

    DataDirectoryException(String reason, String remedy) {
        super(reason);
        this.remedy = remedy;
    }

    DataDirectoryException(String reason, String remedy, Throwable cause) {
        super(reason, cause);
        this.remedy = remedy;
    }

    /** What the operator of the node can do about it. */
    public String remedy() {
        return remedy;
    }
}
