package dev.kvorum.node.storage;

import org.jspecify.annotations.Nullable;

/** A database has lost something that was on the disk: what is left of it must not be taken for all that its member has acknowledged and promised. */
public final class LostDataException extends DataDirectoryException {
    private static final String REMEDY =
            "Other members hold what this one has acknowledged. Move the data directory away, so that the node begins"
                    + " with an empty one. If there is no other copy, restore it from a backup; to go on with what is left,"
                    + " remove the file that ends in .synced beside the database.";

    LostDataException(String reason, @Nullable Throwable cause) {
        super(reason, REMEDY, cause);
    }
}
