package dev.kvorum.node.storage.rocks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a path still leads to the database that was opened there, by device and inode of a file that RocksDB neither replaces nor
 * removes. Moved, deleted and replaced directories all give another answer. Any thread; one system call.
 */
final class DirectoryIdentity {
    private static final String LOCK = "LOCK";

    private final Path file;
    private final @Nullable Object key;

    private DirectoryIdentity(Path file, @Nullable Object key) {
        this.file = file;
        this.key = key;
    }

    /** Of a database that is open. */
    static DirectoryIdentity of(Path database) throws IOException {
        Path file = database.resolve(LOCK);
        return new DirectoryIdentity(file, key(file));
    }

    private static @Nullable Object key(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    /**
     * Why the directory is another one; empty if it is the same.
     *
     * @throws IOException if the system can't tell
     */
    Optional<String> change() throws IOException {
        try {
            return Objects.equals(key(file), key) ? Optional.empty() : Optional.of("another one has taken its place");
        } catch (NoSuchFileException e) {
            return Optional.of("it was moved or deleted");
        }
    }
}
