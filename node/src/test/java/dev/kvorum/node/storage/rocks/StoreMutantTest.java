package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The mutants of the store fit the store as it is, the documents name them all, and histories catch those that each run of their seeds is likely to catch. */
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

    /** Seeds draw what happens, but not which caller is faster: so there are several tries. */
    @ParameterizedTest
    @CsvSource({
        "acknowledged-before-commit, 4 11 12 16 52",
        "commit-not-synced, 52 46 11 24 44 41",
        "hints-without-log, 16 4 28 35 40 62",
        "step-not-synced, 52 46 11 24 44 41"
    })
    void historiesCatchAMutant(String name, String seeds) throws IOException {
        Path classes = Files.createDirectory(directory.resolve("classes"));
        StoreMutant.read(name).compile(classes);

        assertThat(seeds.split(" ", -1)).anyMatch(seed -> isCaught(Long.parseLong(seed), classes));
    }

    private boolean isCaught(long seed, Path classes) {
        try {
            Path parent = Files.createDirectory(directory.resolve("seed-" + seed));
            List<String> wrong = new StoreLives(parent, seed, StoreMutant.classPath(classes)).run();
            assertThat(wrong).as("a mutant that runs").noneMatch(words -> words.contains("died "));
            return !wrong.isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
