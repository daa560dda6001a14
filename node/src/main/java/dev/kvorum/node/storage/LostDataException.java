package dev.kvorum.node.storage;

import org.jspecify.annotations.Nullable;

/** A database has lost something that was on the disk: what is left of it must not be taken for all that its member has acknowledged and promised. */
public final class LostDataException extends DataDirectoryException {
    /** What a person does first about any loss. */
    public static final String COPY_FIRST = "Copy the data directory first. Then restore a backup";

    /** @param remedy what a person can do about it */
    public LostDataException(String reason, String remedy, @Nullable Throwable cause) {
        super(reason, remedy, cause);
    }

    /** A loss that the node may mend by itself. */
    public LostDataException(String reason) {
        this(reason, COPY_FIRST + ".", null);
    }

    /** The same loss with what a person can do about it, where the node can't mend it by itself. */
    public LostDataException withRemedy(String remedy) {
        return new LostDataException(String.valueOf(getMessage()), remedy, this);
    }
}
