package dev.kvorum.load.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
    private static final Duration FILE_TIME_ERROR_MAX =
            Duration.ofSeconds(1); // The kernel's clock for files is coarse.

    @TempDir
    private Path directory;

    private DataFolder folder;
    private Path copy;

    @BeforeEach
    void fill() throws Exception {
        folder = new DataFolder(directory.resolve("n1"));
        copy = directory.resolve("n1.older");
        Files.createDirectories(folder.cells());
        Files.writeString(folder.cells().resolve("000001.log"), "before");
    }

    @Test
    void copyThatIsPutBackIsAllThatIsThere() throws Exception {
        folder.copyTo(copy);
        Files.writeString(folder.cells().resolve("000001.log"), "after");
        Files.writeString(folder.cells().resolve("000002.log"), "later");

        folder.putBack(copy);

        assertThat(folder.cells().resolve("000001.log")).hasContent("before");
        assertThat(folder.cells().resolve("000002.log")).doesNotExist();
        assertThat(copy).doesNotExist();
    }

    @Test
    void databasesThatWereSetAsideAreFoundAndDeletedAndTheOneInUseIsNot() throws Exception {
        Path aside = Files.createDirectories(folder.path().resolve("cells-until-1700000000000"));
        assertThat(folder.setAside()).containsExactly(aside);

        folder.deleteSetAside();

        assertThat(folder.setAside()).isEmpty();
        assertThat(folder.cells().resolve("000001.log")).exists();
    }

    @Test
    void timeOfTheLastOneThatWasSetAsideIsThisMachines() throws Exception {
        assertThat(folder.lastSetAside()).isEmpty();
        Path early = folder.path().resolve("cells-until-4000000000000"); // By a clock that is far ahead.
        Files.setLastModifiedTime(folder.cells(), FileTime.fromMillis(0));
        Instant before = Instant.now().minus(FILE_TIME_ERROR_MAX);

        Files.move(folder.cells(), early);

        assertThat(folder.lastSetAside())
                .hasValueSatisfying(
                        at -> assertThat(at).isBetween(before, Instant.now().plus(FILE_TIME_ERROR_MAX)));
    }
}
