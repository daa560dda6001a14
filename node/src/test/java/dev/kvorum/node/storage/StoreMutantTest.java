package dev.kvorum.node.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mutants of the store fit the store as it is, and the documents name them all. */
class StoreMutantTest {
    @TempDir
    Path directory;

    @Test
    void eachMutantStillCompiles() throws IOException {
        for (String name : StoreMutant.names()) {
            StoreMutant.read(name).compile(Files.createDirectory(directory.resolve(name)));
        }
    }

    @Test
    void eachMutantIsInTheTable() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "simulation.md"));
        for (String name : StoreMutant.names()) {
            assertThat(page)
                    .contains("| `" + name + "` | " + StoreMutant.read(name).words() + " |");
        }
    }
}
