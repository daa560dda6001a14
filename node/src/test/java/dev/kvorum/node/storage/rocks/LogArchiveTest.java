package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogArchiveTest {
    private static final long MEGABYTES = 1 << 20;

    @TempDir
    Path database;

    private Path log(String name, long bytes) throws IOException {
        Path file = Files.createDirectories(database.resolve("archive")).resolve(name);
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(bytes);
        }
        return file;
    }

    @Test
    void oldestFilesAboveTheLimitAreRemoved() throws IOException {
        long limit = Math.min(
                LogArchive.bytesMax(database), Files.getFileStore(database).getUsableSpace());
        Path oldest = log("000007.log", MEGABYTES);
        Path middle = log("000009.log", limit / 2);
        Path newest = log("000011.log", limit / 4);
        Path other = log("readme.txt", 2 * limit);

        LogArchive.of(database).trim();
        assertThat(oldest).exists();

        log("000013.log", limit / 2);
        LogArchive.of(database).trim();

        assertThat(oldest).doesNotExist();
        assertThat(middle).doesNotExist();
        assertThat(newest).exists();
        assertThat(other).exists();
    }

    @Test
    void databaseWithoutAnArchiveIsFine() throws IOException {
        LogArchive.of(database).trim();

        assertThat(database).isEmptyDirectory();
    }
}
