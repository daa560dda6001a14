package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The mutants of the store fit the store as it is, and the documents name them all. */
@Tag("check")
class StoreMutantTest {
    @TempDir
    Path directory;

    @Test
    void eachMutantStillCompiles() throws IOException {
        for (String name : StoreMutant.names()) {
            StoreMutant.read(name).compile(Files.createDirectories(directory.resolve(name)));
        }
    }

    @Test
    void eachMutantIsInTheDocuments() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "simulation.md"));
        for (String name : StoreMutant.names()) {
            String words = StoreMutant.read(name).words();
            String row = name.startsWith(StoreMutant.UNCAUGHT)
                    ? "- `" + name.substring(StoreMutant.UNCAUGHT.length()) + "`: " + words
                    : "| `" + name + "` | " + words + " |";
            assertThat(page).contains(row);
        }
    }
}
