package dev.kvorum.load.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.DiskLoss;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LossesTest {
    @TempDir
    private Path directory;

    @Test
    void databaseThatIsLostTwiceIsTwoLosses() throws Exception {
        Losses losses = new Losses("n1", new DataFolder(directory));
        assertThat(losses.isEmpty()).isTrue();

        losses.add(10);
        losses.add(20);

        assertThat(losses.isEmpty()).isFalse();
        assertThat(losses.regained(30)).containsExactly(new DiskLoss("n1", 0, 10, 30), new DiskLoss("n1", 0, 20, 30));
    }

    @Test
    void eachDatabaseIsSetAsideOnce() throws Exception {
        Files.createDirectory(directory.resolve("cells-until-1"));
        Losses losses = new Losses("n1", new DataFolder(directory));
        assertThat(losses.hasSetAside()).isFalse();

        Files.createDirectory(directory.resolve("cells-until-2"));
        assertThat(losses.hasSetAside()).isTrue();
        assertThat(losses.hasSetAside()).isFalse();

        Files.createDirectory(directory.resolve("cells-until-3"));
        assertThat(losses.hasSetAside()).isTrue();
    }
}
