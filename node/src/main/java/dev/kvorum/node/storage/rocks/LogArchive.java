package dev.kvorum.node.storage.rocks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of the log that the database itself needs no more, and keeps for other members. RocksDB looks at their limit once in some minutes, and not at all while it takes no writes.
 *
 * <p>One thread.
 */
record LogArchive(Path directory) {
    private static final String NAME = "archive"; // As RocksDB calls it, beside its other files.
    private static final int SHARE = 16; // Of a disk.
    private static final long BYTES_MAX = 1L << 30;

    /** That of the database in a directory. */
    static LogArchive of(Path database) {
        return new LogArchive(database.resolve(NAME));
    }

    /** How many bytes the log may take on that disk. */
    static long bytesMax(Path database) throws IOException {
        return Math.min(BYTES_MAX, Files.getFileStore(database).getTotalSpace() / SHARE);
    }

    /** Removes the oldest files above the limit, and those above what is free on the disk: another member can do without. Blocks. */
    void trim() throws IOException {
        try {
            long left =
                    Math.min(bytesMax(directory), Files.getFileStore(directory).getUsableSpace());
            for (Path file : newestFirst()) {
                left -= Files.size(file);
                if (left < 0) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (NoSuchFileException e) {
            // The database has just removed it, or none was kept yet.
        }
    }

    /** Their names are numbers of one length. */
    private List<Path> newestFirst() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().endsWith(".log"))
                    .sorted((one, other) -> other.compareTo(one))
                    .toList();
        }
    }
}
