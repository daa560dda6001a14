package dev.kvorum.node.storage;

import org.jspecify.annotations.Nullable;

/** A data directory that this node must not or can't use. */
public sealed class DataDirectoryException extends RuntimeException permits LostDataException {
    private final String remedy;

    DataDirectoryException(String reason, String remedy) {
        this(reason, remedy, null);
    }

    DataDirectoryException(String reason, String remedy, @Nullable Throwable cause) {
        super(reason, cause);
        this.remedy = remedy;
    }

    /** What the operator of the node can do about it. */
    public String remedy() {
        return remedy;
    }
}
