package dev.kvorum.node.restamp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.restamp.Restamp.Moved;
import dev.kvorum.node.restamp.Restamp.Refused;
import dev.kvorum.node.storage.DataDirectoryException;
import dev.kvorum.node.storage.directory.DataDirectory;
import dev.kvorum.node.storage.rocks.RocksStore;
import dev.kvorum.node.storage.rocks.SmallStore;
import dev.kvorum.node.storage.rocks.StoppedStore;
import dev.kvorum.node.storage.rocks.StoppedStore.Rewriting;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One data directory, with what a clock has stamped that was a year ahead. */
@Timeout(60)
class RestampTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final long YEAR = Duration.ofDays(365).toMillis();
    private static final int PARTITION = 3;
    private static final Key RIGHT = Key.of("right");
    private static final Key AHEAD = Key.of("ahead");
    private static final Key LATER = Key.of("later");

    @TempDir
    Path data;

    @BeforeEach
    void write() {
        onStore(store -> {
            put(store, RIGHT, NOW);
            put(store, AHEAD, NOW - 5); // Before the clock was wrong.
            put(store, AHEAD, NOW + YEAR);
            put(store, LATER, NOW + YEAR + 20);
            Integer _ =
                    store.hints().put("n9", LATER, cell(LATER, NOW + YEAR + 20)).block();
            return true;
        });
    }

    private <T> T onStore(Function<RocksStore, T> work) {
        AtomicLong newest = new AtomicLong((NOW + YEAR + 30) << Version.COUNTER_BITS);
        try (RocksStore store = opened()) {
            if (store.newestOfFormerLife() > 0) {
                newest.set(store.newestOfFormerLife());
            }
            store.keepNewest(newest::get);
            return work.apply(store);
        }
    }

    private RocksStore opened() {
        DataDirectory directory = DataDirectory.claim(data, "demo", "n1", 16);
        return RocksStore.open(directory, 0, SmallStore.settings(), SmallStore.hints(), SmallStore.host());
    }

    private static Cell cell(Key key, long millis) {
        return Draft.ofValue(key.utf8()).stamp(key, version(millis), 3);
    }

    private static Version version(long millis) {
        return new Version((millis << Version.COUNTER_BITS) + 5, 77);
    }

    private static void put(RocksStore store, Key key, long millis) {
        store.write(PARTITION, key, cell(key, millis)).block();
    }

    private Cell read(Key key) {
        return onStore(store ->
                Objects.requireNonNull(store.read(PARTITION, key).block()).requireIntact(key));
    }

    private <T> T on(Function<Restamp, T> work) {
        try (Restamp restamp = Restamp.of(StoppedStore.open(data))) {
            return work.apply(restamp);
        }
    }

    @Test
    void lookingCountsAndChangesNothing() {
        Census census = on(restamp -> restamp.look(NOW + 10_000));

        assertThat(census.cells()).isEqualTo(2);
        assertThat(census.keys()).containsExactlyInAnyOrder("ahead", "later");
        assertThat(census.hints()).isOne();
        assertThat(census.firstAhead()).isEqualTo(NOW + YEAR);
        assertThat(census.lastAhead()).isEqualTo(NOW + YEAR + 20);
        assertThat(census.clockAhead()).isEqualTo(NOW + YEAR + 30);
        assertThat(census.newestBefore()).isEqualTo(NOW);
        assertThat(read(AHEAD).version()).isEqualTo(version(NOW + YEAR));
    }

    @Test
    void movedVersionsKeepTheirOrderValuesAndAuthorsAndStandBehindAllOthers() {
        assertThat((Object) on(restamp -> restamp.move(NOW + YEAR, NOW + 1))).isInstanceOf(Moved.class);

        assertThat(read(RIGHT)).isEqualTo(cell(RIGHT, NOW));
        assertThat(read(AHEAD)).isEqualTo(cell(AHEAD, NOW + 1));
        assertThat(read(LATER)).isEqualTo(cell(LATER, NOW + 21));
        assertThat(onStore(RocksStore::newestOfFormerLife) >>> Version.COUNTER_BITS)
                .as("this node's clock")
                .isEqualTo(NOW + 31);
        Cell hint = onStore(store -> Objects.requireNonNull(
                        store.hints().page("n9", 0, 10, 1 << 20).block())
                .hints()
                .getFirst()
                .cell());
        assertThat(hint).isEqualTo(cell(LATER, NOW + 21));
        Census left = on(restamp -> restamp.look(NOW + 10_000));
        assertThat(left.hasAny()).isFalse();
        assertThat(left.clockAhead()).isZero();
    }

    /** An older write of the same key, on another member perhaps, would come back. */
    @Test
    void timeThatIsNotBehindAllOtherVersionsIsRefused() {
        assertThat((Object) on(restamp -> restamp.move(NOW + YEAR, NOW)))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).contains("2027-01-15T08:00:00Z"));
        assertThat((Object) on(restamp -> restamp.move(NOW + YEAR, NOW + YEAR))).isInstanceOf(Refused.class);

        assertThat(read(AHEAD).version()).isEqualTo(version(NOW + YEAR));
    }

    @Test
    void nodeDoesNotStartBetweenTheBeginningAndTheEndAndTheCommandGoesOn() {
        String what = "restamp --from=2028-01-15T08:00:00Z --to=2027-01-15T08:00:00.001Z";
        try (StoppedStore store = StoppedStore.open(data)) {
            store.begin(what);
        }

        assertThatThrownBy(this::opened)
                .isInstanceOf(DataDirectoryException.class)
                .hasMessageContaining(what);
        assertThat((Object) on(restamp -> restamp.move(NOW + YEAR, NOW + 2)))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).contains("finish that first"));

        // The first run has moved a part.
        assertThat((Object) on(restamp -> restamp.move(NOW + YEAR, NOW + 1))).isInstanceOf(Moved.class);
        assertThat(read(AHEAD)).isEqualTo(cell(AHEAD, NOW + 1));
    }

    /** A process that is killed in the middle: what it has moved since the last batch is not on the disk. */
    private static final class Killed implements Rewriting {
        private final Rewriting moving;
        private int left;

        Killed(Rewriting moving, int left) {
            this.moving = moving;
            this.left = left;
        }

        private <T> T before(T moved) {
            left--;
            if (left < 0) {
                throw new IllegalStateException("killed");
            }
            return moved;
        }

        @Override
        public Cell cell(Key key, Cell cell) {
            return before(moving.cell(key, cell));
        }

        @Override
        public Cell hint(Key key, Cell cell) {
            return before(moving.hint(key, cell));
        }

        @Override
        public byte[] row(Key key, byte[] row) {
            return before(moving.row(key, row));
        }

        @Override
        public long time(long hybridTime) {
            return before(moving.time(hybridTime));
        }

        @Override
        public void damaged() {
            moving.damaged();
        }
    }

    private void beginAndKill(long from, long to, int after) {
        try (StoppedStore store = StoppedStore.open(data)) {
            if (store.unfinished().isEmpty()) {
                store.begin("restamp --from=" + Instant.ofEpochMilli(from) + " --to=" + Instant.ofEpochMilli(to));
            }
            Rewriting moving = new Restamp.Moving(new Shift(from, to), new Census(from));
            assertThatThrownBy(() -> store.rewrite(new Killed(moving, after))).hasMessage("killed");
        }
    }

    private static Key key(int number) {
        return Key.of("many-%04d".formatted(number));
    }

    private List<Long> timesOf(int keys) {
        return onStore(store -> IntStream.range(0, keys)
                .mapToObj(number -> Objects.requireNonNull(
                                store.read(PARTITION, key(number)).block())
                        .version()
                        .millis())
                .toList());
    }

    /** Versions of a clock that was an hour ahead for three: what is moved may stand behind --from as before. */
    @Test
    void nothingIsMovedTwiceWhereTheCommandIsKilledAndRunAgain() {
        int keys = 2_500;
        List<Long> times = IntStream.range(0, keys)
                .mapToObj(number -> NOW + 2_000 + number)
                .toList();
        onStore(store -> {
            IntStream.range(0, keys).forEach(number -> put(store, key(number), times.get(number)));
            return true;
        });

        beginAndKill(NOW + 1_000, NOW + 1, 1_500); // Cells; "ahead" and "later" are the first ones.
        beginAndKill(NOW + 1_000, NOW + 1, 1_200);
        beginAndKill(NOW + 1_000, NOW + 1, 503); // The note of the clock, behind the last cells and one hint.
        assertThat((Object) on(restamp -> restamp.move(NOW + 1_000, NOW + 1))).isInstanceOf(Moved.class);

        assertThat(timesOf(keys))
                .isEqualTo(times.stream().map(time -> time - 999).toList());
        assertThat(read(LATER)).isEqualTo(cell(LATER, NOW + YEAR + 20 - 999));
        assertThat(onStore(RocksStore::newestOfFormerLife) >>> Version.COUNTER_BITS)
                .isEqualTo(NOW + YEAR + 30 - 999);
    }

    @Test
    void nothingIsMovedTwiceWhereTheCommandHasEndedAndIsRunAgain() {
        assertThat((Object) on(restamp -> restamp.move(NOW + 1_000, NOW + 1))).isInstanceOf(Moved.class);
        onStore(store -> true); // A life of the node in between changes nothing of that.

        assertThat((Object) on(restamp -> restamp.move(NOW + 1_000, NOW + 1)))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).contains("was done here already"));
        assertThat(read(AHEAD)).isEqualTo(cell(AHEAD, NOW + YEAR - 999));
    }

    @Test
    void batchOfLargeCellsIsSmall() {
        byte[] value = new byte[1 << 20];
        onStore(store -> {
            IntStream.range(0, 12).forEach(number -> {
                Cell large = Draft.ofValue(value).stamp(key(number), version(NOW + YEAR), 3);
                store.write(PARTITION, key(number), large).block();
            });
            return true;
        });

        beginAndKill(NOW + YEAR, NOW + 1, 13);

        Census left = on(restamp -> restamp.look(NOW + YEAR));
        assertThat(left.cells()).as("of 14, four MiB of which may have waited").isBetween(2L, 7L);
    }

    @Test
    void directoryOfARunningNodeIsRefused() {
        try (RocksStore running = opened()) {
            assertThat(running.bytes()).isNotNegative();
            assertThatThrownBy(() -> StoppedStore.open(data)).isInstanceOf(DataDirectoryException.class);
        }
        assertThatThrownBy(() -> StoppedStore.open(data.resolve("nowhere"))).isInstanceOf(DataDirectoryException.class);
    }
}
