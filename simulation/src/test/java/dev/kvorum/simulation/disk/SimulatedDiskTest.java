package dev.kvorum.simulation.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.storage.LostDataException;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.Timeline;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SimulatedDiskTest {
    private static final String FAMILY = "cells";

    private final Timeline timeline = new Timeline();
    private final SimulatedDisk disk = diskOf(1);

    private SimulatedDisk diskOf(long seed) {
        return new SimulatedDisk(timeline, Chance.of(seed), new DiskWeather(1, 1, 1, 1));
    }

    private static Change put(String key, String value) {
        return Change.put(FAMILY, key.getBytes(UTF_8), value.getBytes(UTF_8));
    }

    private static String held(SimulatedDisk disk, String key) {
        return disk.read(FAMILY, key.getBytes(UTF_8))
                .map(bytes -> new String(bytes, UTF_8))
                .orElse("nothing");
    }

    @Test
    void batchIsThereAsAWhole() {
        assertThat(disk.append(List.of(put("a", "1"), put("b", "2")))).isTrue();

        assertThat(held(disk, "a")).isEqualTo("1");
        assertThat(held(disk, "b")).isEqualTo("2");
    }

    @Test
    void mergeKeepsTheGreaterInWhateverOrder() {
        var _ = disk.append(List.of(Change.merge(FAMILY, "a".getBytes(UTF_8), "2".getBytes(UTF_8))));
        var _ = disk.append(List.of(Change.merge(FAMILY, "a".getBytes(UTF_8), "1".getBytes(UTF_8))));

        assertThat(held(disk, "a")).isEqualTo("2");
    }

    @Test
    void deletedIsGone() {
        var _ = disk.append(List.of(put("a", "1")));
        var _ = disk.append(List.of(Change.delete(FAMILY, "a".getBytes(UTF_8))));

        assertThat(held(disk, "a")).isEqualTo("nothing");
    }

    @Test
    void syncedOutlivesThePowerAndAnyPartOfTheRestIsLostFromItsEnd() {
        Set<String> survivors = new HashSet<>();

        for (long seed : IntStream.range(0, 100).toArray()) {
            SimulatedDisk one = diskOf(seed);
            var _ = one.append(List.of(put("a", "synced")));
            one.sync(one.end());
            var _ = one.append(List.of(put("b", "first")));
            var _ = one.append(List.of(put("b", "last")));
            var lostSince = one.loseTail();

            assertThat(held(one, "a")).isEqualTo("synced");
            assertThat(lostSince.isEmpty()).isEqualTo(held(one, "b").equals("last"));
            survivors.add(held(one, "b"));
        }

        assertThat(survivors).containsExactlyInAnyOrder("nothing", "first", "last");
    }

    @Test
    void lossSaysSinceWhen() {
        timeline.runUntil(5);
        SimulatedDisk one = diskOf(0);
        for (int i = 0; i < 50; i++) {
            timeline.runUntil(10 + i);
            var _ = one.append(List.of(put("a" + i, "1")));
        }

        long lostSince = one.loseTail().orElseThrow();

        assertThat(held(one, "a" + (lostSince - 11))).isEqualTo("1");
        assertThat(held(one, "a" + (lostSince - 10))).isEqualTo("nothing");
    }

    @Test
    void whatCameWhileTheLogWasBroughtThereIsNotOnTheDisk() {
        Set<String> seen = new HashSet<>();

        for (long seed : IntStream.range(0, 50).toArray()) {
            SimulatedDisk one = diskOf(seed);
            var _ = one.append(List.of(put("a", "1")));
            long synced = one.end();
            var _ = one.append(List.of(put("b", "2")));
            one.sync(synced);
            var _ = one.loseTail();
            assertThat(held(one, "a")).isEqualTo("1");
            seen.add(held(one, "b"));
        }

        assertThat(seen).containsExactlyInAnyOrder("2", "nothing");
    }

    @Test
    void failedBatchIsNotThereButMayShowAtTheNextStart() {
        Set<String> seen = new HashSet<>();

        for (long seed : IntStream.range(0, 100).toArray()) {
            SimulatedDisk one = diskOf(seed);
            one.begin(DiskFault.failingWrites(1));
            assertThat(one.append(List.of(put("a", "1")))).isFalse();
            assertThat(held(one, "a")).isEqualTo("nothing");
            one.open();
            seen.add(held(one, "a"));
        }

        assertThat(seen).containsExactlyInAnyOrder("1", "nothing");
    }

    /** What a lying sync has lost shows by the mark; what is told of it is what the sync has said. */
    @Test
    void whatALyingSyncHasLostIsNoticed() {
        Set<String> seen = new HashSet<>();

        for (long seed : IntStream.range(0, 50).toArray()) {
            SimulatedDisk one = diskOf(seed);
            one.begin(DiskFault.lying());
            var _ = one.append(List.of(put("a", "1")));
            one.sync(one.end());
            assertThat(one.brought()).isEqualTo(one.end());
            var _ = one.loseTail();
            seen.add(held(one, "a"));
            assertThat(one.hasLost()).isEqualTo(held(one, "a").equals("nothing"));
            if (one.hasLost()) {
                assertThatThrownBy(() -> one.requireWhole(0)).isInstanceOf(LostDataException.class);
            } else {
                one.requireWhole(0);
            }
        }

        assertThat(seen).containsExactlyInAnyOrder("1", "nothing");
    }

    @Test
    void diskThatTellsTheTruthInTimeLosesNothing() {
        disk.begin(DiskFault.lying());
        var _ = disk.append(List.of(put("a", "1")));
        disk.sync(disk.end());

        disk.tellTruth();
        var _ = disk.loseTail();

        assertThat(held(disk, "a")).isEqualTo("1");
        disk.requireWhole(disk.end());
    }

    @Test
    void logThatIsDamagedLacksItsEndAndThatIsNoticed() {
        for (int i = 0; i < 1000; i++) { // Of which only the last can be lost.
            var _ = disk.append(List.of(put("a" + i, "1")));
        }
        disk.sync(disk.end());

        assertThat(disk.damageLog(0.25)).isTrue();

        assertThat(held(disk, "a0")).isEqualTo("1");
        assertThat(held(disk, "a871")).isEqualTo("1");
        assertThat(held(disk, "a872")).isEqualTo("nothing");
        assertThatThrownBy(() -> disk.requireWhole(0))
                .isInstanceOf(LostDataException.class)
                .hasMessageContaining("the last 128 writes");
        assertThat(disk.append(List.of(put("a872", "again")))).isTrue();
        assertThat(held(disk, "a872")).isEqualTo("again");
    }

    @Test
    void databaseThatLacksAFileIsNotWhole() {
        disk.requireWhole(0);

        disk.loseFile();

        assertThatThrownBy(() -> disk.requireWhole(0)).isInstanceOf(LostDataException.class);
    }

    @Test
    void machineThatFailsWhileItsNodeRunsIsNoticedWhereWritesAreNotSynced() {
        disk.noteRunning(false);
        assertThat(disk.wasCutOff()).isFalse(); // As after kill -9.
        var _ = disk.loseTail();
        assertThat(disk.wasCutOff()).isTrue();

        disk.noteRunning(true);
        var _ = disk.loseTail();
        assertThat(disk.wasCutOff()).isFalse();

        disk.noteRunning(false);
        disk.noteEnded();
        var _ = disk.loseTail();
        assertThat(disk.wasCutOff()).isFalse();
    }

    @Test
    void faultEnds() {
        DiskFault full = DiskFault.failingWrites(1);
        disk.begin(full);
        disk.end(full);

        assertThat(disk.append(List.of(put("a", "1")))).isTrue();
    }

    @Test
    void wipedItHoldsNothing() {
        var _ = disk.append(List.of(put("a", "1")));
        disk.sync(disk.end());

        disk.wipe();

        assertThat(disk.held(FAMILY)).isEmpty();
    }
}
