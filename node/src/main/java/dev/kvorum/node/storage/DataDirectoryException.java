package dev.kvorum.node.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A data directory that this node must not or can't use. */
public sealed class DataDirectoryException extends RuntimeException permits LostDataException {
    private final String remedy;

    public DataDirectoryException(String reason, String remedy) {
        this(reason, remedy, null);
    }

    public DataDirectoryException(String reason, String remedy, @Nullable Throwable cause) {
        super(reason, cause);
        this.remedy = remedy;
    }

    /** Another process has the directory; empty if the system does not tell which. */
    public static DataDirectoryException inUse(Path directory, Optional<Long> pid, @Nullable Throwable cause) {
        return new DataDirectoryException(
                "the data directory " + directory + " is in use by another process"
                        + pid.map(id -> ", " + id).orElse(""),
                "Stop that process, or give this node a directory of its own with --kvorum.data-dir.",
                cause);
    }

    /** A note in the directory could not be written. */
    public static DataDirectoryException unwritten(String what, Path directory, IOException cause) {
        return new DataDirectoryException(
                what + " in " + directory + ": " + cause, "Check the disk and its free space.", cause);
    }

    /** What the operator of the node can do about it. */
    public String remedy() {
        return remedy;
    }
}
