package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real store under many callers, in processes that are killed, on machines that lose power and on files that rot: what its callers saw through all of its lives is what the contract says.
 *
 * <p>{@code -Dkvorum.store.seeds=100 -Dkvorum.store.from=1} runs more of it.
 */
@Tag("check")
class StoreHistoryTest {
    private static final int SEEDS = Integer.getInteger("kvorum.store.seeds", 3);
    private static final long FROM = Long.getLong("kvorum.store.from", 4);

    @TempDir
    Path parent;

    @Test
    void storeKeepsItsPromisesThroughKillsPowerCutsAndRot() throws IOException, InterruptedException {
        List<String> classPath = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
        for (long seed = FROM; seed < FROM + SEEDS; seed++) {
            StoreLives lives = new StoreLives(Files.createDirectory(parent.resolve("seed-" + seed)), seed, classPath);

            List<String> wrong = lives.run();

            assertThat(wrong).as("seed %d: %s", seed, lives).isEmpty();
        }
    }
}
