package dev.kvorum.node.boot;

import dev.kvorum.node.core.DataGround;
import dev.kvorum.node.storage.directory.DataDirectory;
import dev.kvorum.node.storage.rocks.RocksStore;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real data directory, and RocksDB in it.
 *
 * @param member that it is of
 * @param opening opens the store
 */
record RocksGround(String member, @Nullable String cluster, int partitions, Opening opening)
        implements DataGround<DataDirectory, RocksStore> {
    private static final Logger LOG = LoggerFactory.getLogger(RocksGround.class);

    /** As {@link DataGround#open}. */
    @FunctionalInterface
    interface Opening {
        RocksStore open(DataDirectory directory, long remembered);
    }

    /** Takes the directory for that of the member. */
    DataDirectory claim(Path path) {
        return DataDirectory.claim(path, cluster, member, partitions);
    }

    @Override
    public RocksStore open(DataDirectory directory, long remembered) {
        return opening.open(directory, remembered);
    }

    @Override
    public DataDirectory becomeIncomplete(DataDirectory directory, long now) {
        return directory.becomeIncomplete(now);
    }

    @Override
    public DataDirectory setAside(DataDirectory directory, long now) {
        LOG.warn(
                "What this member held is moved to {}. Delete it when the member is rebuilt, or before if the disk is short of room",
                directory.aside(now));
        return directory.setAside(now, cluster, member, partitions);
    }
}
