package dev.kvorum.node.storage.directory;

import dev.kvorum.node.storage.DataDirectoryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tries, before anything is written to a data directory, whether it is free and whether its file system can lock and sync. Blocks. */
final class DirectoryTrial {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryTrial.class);
    private static final String TRIED = "probe";
    private static final String LOCK = "LOCK"; // RocksDB's, locked while the database is open.
    private static final Path LOCKS = Path.of("/proc/locks");
    private static final int PID_WORD = 4;
    private static final int FILE_WORD = 5;

    private final Path directory;
    private final Sync<FileChannel> ofFile;
    private final Sync<Path> ofDirectory;

    DirectoryTrial(Path directory) {
        this(directory, file -> file.force(true), OwnerOnly::forceDirectory);
    }

    /** @param ofFile brings a file to the disk, as {@code ofDirectory} the names in a directory */
    DirectoryTrial(Path directory, Sync<FileChannel> ofFile, Sync<Path> ofDirectory) {
        this.directory = directory;
        this.ofFile = ofFile;
        this.ofDirectory = ofDirectory;
    }

    /**
     * Refuses a directory whose database another process has open.
     *
     * @throws DataDirectoryException with the process's id where the system tells it
     */
    void requireFree(Path database) throws IOException {
        Path file = database.resolve(LOCK);
        try (FileChannel channel =
                FileChannel.open(file, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
            try (FileLock lock = channel.tryLock()) {
                if (lock == null) {
                    throw DataDirectoryException.inUse(directory, holder(file), null);
                }
            }
        } catch (NoSuchFileException e) {
            // No database yet.
        }
    }

    /** The process that has locked a file, if the system tells. It tells none in another container. */
    private static Optional<Long> holder(Path file) {
        try (Stream<String> locks = Files.lines(LOCKS)) {
            String inode = ":" + Files.getAttribute(file, "unix:ino");
            return locks.map(line -> line.strip().split("\\s+"))
                    .filter(words -> words.length > FILE_WORD && words[FILE_WORD].endsWith(inode))
                    .map(words -> Long.parseLong(words[PID_WORD]))
                    .filter(pid -> pid > 0)
                    .findFirst();
        } catch (IOException | RuntimeException e) {
            LOG.debug("Which process has locked {} can't be known", file, e);
            return Optional.empty();
        }
    }

    /**
     * Locks and syncs a file there, and syncs the directory.
     *
     * @throws DataDirectoryException if the file system can't
     */
    void requireLocksAndSyncs() throws IOException {
        Path tried = directory.resolve(TRIED);
        Files.deleteIfExists(tried);
        try (FileChannel channel = OwnerOnly.create(tried)) {
            requireLock(channel);
            channel.write(ByteBuffer.wrap(new byte[1]));
            sync(ofFile, channel);
            sync(ofDirectory, directory);
        } finally {
            Files.deleteIfExists(tried);
        }
        warnOfOverlay();
    }

    private void requireLock(FileChannel channel) {
        try (FileLock lock = channel.tryLock()) {
            if (lock == null) {
                throw unable("lock files", null);
            }
        } catch (IOException | OverlappingFileLockException e) {
            throw unable("lock files", e);
        }
    }

    @FunctionalInterface
    interface Sync<T> {
        void carryOut(T of) throws IOException;
    }

    private <T> void sync(Sync<T> sync, T of) {
        try {
            sync.carryOut(of);
        } catch (IOException e) {
            throw unable("bring files to the disk", e);
        }
    }

    private DataDirectoryException unable(String what, @Nullable Throwable e) {
        return new DataDirectoryException(
                "the file system" + type() + " of the data directory " + directory + " can't " + what
                        + (e == null ? "" : ": " + e.getMessage()),
                "Put the directory on a local file system, such as ext4 or XFS.",
                e);
    }

    private String type() {
        try {
            return " (" + Files.getFileStore(directory).type() + ")";
        } catch (IOException e) {
            return "";
        }
    }

    private void warnOfOverlay() {
        if (type().contains("overlay")) {
            LOG.warn(
                    "The data directory {} is on an overlay file system, which goes with its container: mount a volume there",
                    directory);
        }
    }
}
