package dev.kvorum.simulation.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.config.StorageSettings.Durability;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.MachineClock;
import dev.kvorum.simulation.world.ProcessLife;
import dev.kvorum.simulation.world.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

class SimulatedStoreTest {
    private static final Key KEY = Key.of("k");
    private static final long LONG = Duration.ofSeconds(1).toNanos();
    private static final HintSettings HINTS = Settings.of(HintSettings.class)
            .with("bytesMax", DataSize.ofMegabytes(1))
            .with("ageMax", Duration.ofMinutes(1))
            .with("memory", DataSize.ofMegabytes(1))
            .with("replayWrites", 100)
            .with("replayBytes", DataSize.ofMegabytes(1))
            .with("replayCalls", 16)
            .get();

    private final Timeline timeline = new Timeline();
    private final MachineClock clock = new MachineClock(timeline);
    private final List<String> told = new ArrayList<>();
    private ProcessLife life = new ProcessLife(timeline, clock, 1);

    private static StorageSettings settings(Durability durability, int queue) {
        DataSize unsaid = DataSize.ofBytes(0);
        return Settings.of(StorageSettings.class)
                .with("durability", durability)
                .with("syncInterval", Duration.ofMillis(100))
                .with("queue", queue)
                .with("readThreads", 1)
                .with("memory", unsaid)
                .with("blockCache", unsaid)
                .with("memtable", unsaid)
                .with("backgroundJobs", 2)
                .with("openFiles", 1024)
                .get();
    }

    private SimulatedDisk disk(long seed) {
        return new SimulatedDisk(timeline, Chance.of(seed), new DiskWeather(1000, 1000, 1000, 0.5));
    }

    private SimulatedStore open(SimulatedDisk disk, Durability durability) {
        return new SimulatedStore(life, disk, settings(durability, 4), HINTS, new Bugs());
    }

    private static Cell cell(long time) {
        return Draft.ofValue(new byte[] {1}).stamp(KEY, new Version(time, 1), 3);
    }

    private void write(SimulatedStore store, long time) {
        var _ = store.write(0, KEY, cell(time))
                .subscribe(done -> {}, e -> told.add(e.getClass().getSimpleName()), () -> told.add("stored"));
    }

    private List<Cell> read(SimulatedStore store) {
        List<Cell> found = new ArrayList<>();
        var _ = store.read(0, KEY).subscribe(found::add);
        timeline.runUntil(timeline.now() + LONG);
        return found;
    }

    /** Runs until something is told. */
    private void awaitAnswer() {
        while (told.isEmpty()) {
            timeline.runUntil(timeline.now() + 1);
        }
    }

    @Test
    void newestOfWhatWasStoredIsRead() {
        SimulatedStore store = open(disk(1), Durability.ASYNC);

        write(store, 2);
        write(store, 1);
        timeline.runUntil(LONG);

        assertThat(told).containsExactly("stored", "stored");
        assertThat(read(store)).containsExactly(cell(2));
    }

    @Test
    void acknowledgedWriteOutlivesTheProcess() {
        SimulatedDisk disk = disk(1);
        write(open(disk, Durability.ASYNC), 1);
        awaitAnswer();

        life.end();
        life = new ProcessLife(timeline, clock, 2);

        assertThat(read(open(disk, Durability.ASYNC))).containsExactly(cell(1));
    }

    @Test
    void machineThatFailsLosesAcknowledgedWritesUnlessEachIsBroughtToTheDisk() {
        Set<Boolean> kept = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            kept.add(outlivesTheMachine(seed, Durability.ASYNC));
            assertThat(outlivesTheMachine(seed, Durability.FSYNC)).isTrue();
        }

        assertThat(kept).containsExactlyInAnyOrder(true, false);
    }

    private boolean outlivesTheMachine(long seed, Durability durability) {
        SimulatedDisk disk = disk(seed);
        life = new ProcessLife(timeline, clock, 1);
        told.clear();
        write(open(disk, durability), 1);
        awaitAnswer();
        life.end();
        var _ = disk.loseTail();
        life = new ProcessLife(timeline, clock, 2);
        return !read(open(disk, durability)).isEmpty();
    }

    @Test
    void processThatIsKilledMayHaveStoredWhatItDidNotAcknowledge() {
        Set<Boolean> stored = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            SimulatedDisk disk = disk(seed);
            life = new ProcessLife(timeline, clock, 1);
            write(open(disk, Durability.ASYNC), 1);
            timeline.runUntil(timeline.now() + 1500);
            life.end();
            life = new ProcessLife(timeline, clock, 2);
            stored.add(!read(open(disk, Durability.ASYNC)).isEmpty());
        }

        assertThat(stored).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void noMoreWaitThanTheSettingAllows() {
        SimulatedStore store = open(disk(1), Durability.ASYNC);

        for (int i = 1; i <= 6; i++) { // One is being committed and four wait.
            write(store, i);
        }

        assertThat(told).containsExactly(StoreOverloadedException.class.getSimpleName());
    }

    @Test
    void clockIsNotedWithEachCommitAndBeforeTheFirst() {
        SimulatedDisk disk = disk(1);
        SimulatedStore store = open(disk, Durability.ASYNC);
        store.keepNewest(() -> 42 + told.size());
        assertThat(open(disk, Durability.ASYNC).newestOfFormerLife()).isEqualTo(42);

        told.add("later");
        write(store, 1);
        timeline.runUntil(LONG);

        assertThat(open(disk, Durability.ASYNC).newestOfFormerLife()).isGreaterThan(42);
    }

    @Test
    void failingDiskFailsTheWriteAndTheReadThatNeedsIt() {
        SimulatedDisk disk = disk(1);
        SimulatedStore store = open(disk, Durability.ASYNC);
        disk.begin(DiskFault.failingWrites(1));

        write(store, 1);
        timeline.runUntil(LONG);

        assertThat(told).containsExactly(IllegalStateException.class.getSimpleName());
        assertThat(read(store)).isEmpty();
    }
}
