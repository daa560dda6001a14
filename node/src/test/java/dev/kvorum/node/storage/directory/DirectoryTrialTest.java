package dev.kvorum.node.storage.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.storage.DataDirectoryException;
import dev.kvorum.node.storage.directory.DirectoryTrial.Sync;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file system that can't do all that a database needs. {@code UnfitFileSystemsIT} has real ones. */
class DirectoryTrialTest {
    @TempDir
    Path directory;

    @AfterEach
    void nothingIsLeftBehind() {
        assertThat(directory).isEmptyDirectory();
    }

    private void tried(Sync<FileChannel> ofFile, Sync<Path> ofDirectory) throws IOException {
        new DirectoryTrial(directory, ofFile, ofDirectory).requireLocksAndSyncs();
    }

    private static <T> Sync<T> unable() {
        return of -> {
            throw new IOException("Invalid argument");
        };
    }

    private static <T> Sync<T> able() {
        return of -> {};
    }

    @Test
    void directoryOfAFileSystemThatCanIsTaken() {
        assertThatCode(() -> new DirectoryTrial(directory).requireLocksAndSyncs())
                .doesNotThrowAnyException();
    }

    @Test
    void fileSystemThatCannotSyncFilesIsRefused() {
        assertThatThrownBy(() -> tried(unable(), able()))
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("can't bring files to the disk: Invalid argument");
    }

    @Test
    void fileSystemThatCannotSyncDirectoriesIsRefused() {
        assertThatThrownBy(() -> tried(able(), unable()))
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining("can't bring files to the disk: Invalid argument");
    }
}
