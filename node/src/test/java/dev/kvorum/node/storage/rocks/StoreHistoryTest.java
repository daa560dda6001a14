package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.config.StorageSettings.Durability;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;
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
    private static final int SEEDS = Integer.getInteger("kvorum.store.seeds", 0);
    private static final long FROM = Long.getLong("kvorum.store.from", 1);
    private static final List<Long> CHOSEN = List.of(4L, 11L, 12L, 16L, 52L);

    @TempDir
    Path parent;

    private static List<String> classPath() {
        return List.of(System.getProperty("java.class.path").split(File.pathSeparator));
    }

    private static List<Long> seeds() {
        return SEEDS == 0
                ? CHOSEN
                : LongStream.range(FROM, FROM + SEEDS).boxed().toList();
    }

    @Test
    void storeKeepsItsPromisesThroughKillsPowerCutsAndRot() throws IOException, InterruptedException {
        for (long seed : seeds()) {
            StoreLives lives = new StoreLives(Files.createDirectory(parent.resolve("seed-" + seed)), seed, classPath());

            List<String> wrong = lives.run();

            assertThat(wrong).as("seed %d: %s", seed, lives).isEmpty();
        }
    }

    @Test
    void chosenSeedsHaveEachKindOfLife() {
        assertThat(CHOSEN)
                .anyMatch(seed -> has(seed, Durability.FSYNC, LifePlan.End.POWER, plan -> !plan.isCutShort()));
        assertThat(CHOSEN).anyMatch(seed -> has(seed, Durability.FSYNC, LifePlan.End.POWER, LifePlan::isCutShort));
        assertThat(CHOSEN).anyMatch(seed -> has(seed, Durability.FSYNC, LifePlan.End.ROT, plan -> true));
        assertThat(CHOSEN)
                .anyMatch(seed -> has(seed, Durability.FSYNC, LifePlan.End.KILLED, plan -> !plan.isCutShort()));
        assertThat(CHOSEN)
                .anyMatch(seed -> has(seed, Durability.ASYNC, LifePlan.End.POWER, plan -> !plan.isCutShort()));
        assertThat(CHOSEN).anyMatch(seed -> has(seed, Durability.ASYNC, LifePlan.End.POWER, LifePlan::isCutShort));
        assertThat(CHOSEN).anyMatch(seed -> has(seed, Durability.ASYNC, LifePlan.End.ROT, plan -> true));
        assertThat(CHOSEN)
                .anyMatch(seed -> has(seed, Durability.ASYNC, LifePlan.End.KILLED, plan -> !plan.isCutShort()));
    }

    private boolean has(long seed, Durability durability, LifePlan.End end, Predicate<LifePlan> kind) {
        StoreLives lives = new StoreLives(parent, seed, List.of());
        return lives.durability() == durability
                && lives.plans().stream().anyMatch(plan -> plan.end() == end && kind.test(plan));
    }
}
