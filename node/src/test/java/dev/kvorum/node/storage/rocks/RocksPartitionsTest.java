package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.PartitionDrops;
import dev.kvorum.node.storage.PartitionSize;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.Scanned;
import dev.kvorum.node.storage.StoreOverloadedException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Partitions of a real database in a directory of its own. */
@Timeout(60)
class RocksPartitionsTest {
    private static final ScanLimit ALL = new ScanLimit(Integer.MAX_VALUE, Long.MAX_VALUE);
    private static final int P = 7;

    @TempDir
    Path directory;

    private RocksStore store;
    private long time;

    @BeforeEach
    void open() {
        store = SmallStore.open(directory);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void reopen() {
        store.close();
        open();
    }

    private Cell value(Key key, String text) {
        return value(key, ++time, text);
    }

    private static Cell value(Key key, long time, String text) {
        return Draft.ofValue(text.getBytes(StandardCharsets.UTF_8)).stamp(key, new Version(time, 1), 3);
    }

    private void write(int partition, Key key, Cell cell) {
        store.write(partition, key, cell).block();
    }

    private Map<Key, Cell> scan(KeyRange range) {
        Map<Key, Cell> seen = new LinkedHashMap<>();
        Scanned end = scan(range, ALL, seen);
        assertThat(end.isWhole()).isTrue();
        assertThat(end.cells()).isEqualTo(seen.size());
        return seen;
    }

    private Scanned scan(KeyRange range, ScanLimit limit, Map<Key, Cell> seen) {
        Mono<Scanned> scan = store.partitions().scan(range, limit, (key, cell) -> {
            seen.put(key, cell);
            return true;
        });
        return Objects.requireNonNull(scan.block());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 255, 256, 65_535})
    void scanSeesThePartitionAndNoOther(int partition) {
        List<Integer> neighbours = List.of(0, 1, 6, 7, 8, 254, 255, 256, 257, 65_534, 65_535);
        neighbours.forEach(p -> write(p, Key.of("of-" + p), value(Key.of("of-" + p), 1, "v")));
        write(partition, Key.of("\u0001"), value(Key.of("\u0001"), 1, "v"));
        write(partition, Key.of("\uDBFF\uDFFF"), value(Key.of("\uDBFF\uDFFF"), 1, "v"));

        assertThat(scan(KeyRange.of(partition)).keySet())
                .containsExactly(Key.of("\u0001"), Key.of("of-" + partition), Key.of("\uDBFF\uDFFF"));
    }

    @Test
    void partitionWithoutCellsIsWholeAtOnce() {
        write(6, Key.of("before"), value(Key.of("before"), "v"));
        write(8, Key.of("behind"), value(Key.of("behind"), "v"));

        assertThat(scan(KeyRange.of(P))).isEmpty();
    }

    @Test
    void rangeBeginsBehindAKeyAndEndsWithOne() {
        for (String name : List.of("a", "b", "ba", "c", "ca")) {
            write(P, Key.of(name), value(Key.of(name), "v"));
        }

        assertThat(scan(new KeyRange(P, Key.of("a"), Key.of("c"))).keySet())
                .containsExactly(Key.of("b"), Key.of("ba"), Key.of("c"));
        assertThat(scan(new KeyRange(P, Key.of("aa"), Key.of("bz"))).keySet())
                .containsExactly(Key.of("b"), Key.of("ba"));
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 8);
    }

    /** In the log, in files, and in both: the iterator must fold what reads fold. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void scanByPagesSeesTheNewestCellOfEveryKey(long seed) {
        Random random = new Random(seed);
        Map<String, Cell> newest = new TreeMap<>();
        for (int i = 0; i < 600; i++) {
            String name = "key-" + random.nextInt(100);
            Cell cell = random.nextInt(4) == 0
                    ? Draft.tombstone().stamp(Key.of(name), new Version(1 + random.nextInt(10_000), 1), 3)
                    : value(Key.of(name), 1 + random.nextInt(10_000), "v" + i);
            write(P, Key.of(name), cell);
            newest.merge(name, cell, (one, other) -> one.isNewerThan(other) ? one : other);
            if (random.nextInt(200) == 0) {
                reopen();
            }
        }

        Map<Key, Cell> seen = new LinkedHashMap<>();
        KeyRange range = KeyRange.of(P);
        Scanned page;
        int pages = 0;
        do {
            page = scan(range, new ScanLimit(1 + random.nextInt(9), 1 + random.nextInt(2000)), seen);
            range = range.from(page.last());
            pages++;
        } while (!page.isWhole());

        Map<Key, Cell> expected = new LinkedHashMap<>();
        newest.forEach((name, cell) -> expected.put(Key.of(name), cell));
        assertThat(seen).containsExactlyEntriesOf(expected);
        assertThat(pages).isGreaterThan(10);
    }

    @Test
    void visitorEndsThePageWithTheCellItSaw() {
        for (String name : List.of("a", "b", "c")) {
            write(P, Key.of(name), value(Key.of(name), "v"));
        }

        Scanned page = Objects.requireNonNull(store.partitions()
                .scan(KeyRange.of(P), ALL, (key, cell) -> !key.equals(Key.of("b")))
                .block());

        assertThat(page).returns(Key.of("b"), Scanned::last).returns(2, Scanned::cells);
        assertThat(scan(KeyRange.of(P).from(page.last())).keySet()).containsExactly(Key.of("c"));
    }

    /** A long pause between two pages holds no snapshot: what was written meanwhile is seen. */
    @Test
    void nextPageSeesWhatWasWrittenMeanwhile() {
        write(P, Key.of("a"), value(Key.of("a"), "v"));
        write(P, Key.of("c"), value(Key.of("c"), "v"));
        Map<Key, Cell> seen = new HashMap<>();
        Scanned page = scan(KeyRange.of(P), new ScanLimit(1, Long.MAX_VALUE), seen);

        write(P, Key.of("b"), value(Key.of("b"), "v"));

        scan(KeyRange.of(P).from(page.last()), ALL, seen);
        assertThat(seen).containsOnlyKeys(Key.of("a"), Key.of("b"), Key.of("c"));
    }

    @Test
    void readsAndWritesGoOnWhileAScanIsHeldUp() throws InterruptedException {
        write(P, Key.of("a"), value(Key.of("a"), "v"));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        CompletableFuture<?> scan = store.partitions()
                .scan(KeyRange.of(P), ALL, (key, cell) -> {
                    begun.countDown();
                    await(released);
                    return true;
                })
                .toFuture();
        begun.await();

        Cell newer = value(Key.of("a"), "newer");
        write(P, Key.of("a"), newer);
        assertThat(store.read(P, Key.of("a")).block()).isEqualTo(newer);
        assertThat(scan).isNotDone();

        released.countDown();
        assertThat(scan).succeedsWithin(Duration.ofSeconds(10));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void scansThatWaitAreBounded() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        write(P, Key.of("a"), value(Key.of("a"), "v"));
        List<CompletableFuture<?>> scans = new ArrayList<>();
        scans.add(store.partitions()
                .scan(KeyRange.of(P), ALL, (key, cell) -> {
                    begun.countDown();
                    await(released);
                    return true;
                })
                .toFuture());
        begun.await();
        for (int i = 0; i < 64; i++) {
            scans.add(store.partitions()
                    .scan(KeyRange.of(P), ALL, (key, cell) -> true)
                    .toFuture());
        }

        assertThatThrownBy(() -> scan(KeyRange.of(P))).isInstanceOf(StoreOverloadedException.class);

        released.countDown();
        assertThat(scans).allSatisfy(scan -> assertThat(scan).succeedsWithin(Duration.ofSeconds(10)));
    }

    private boolean remove(Key key, Cell cell) {
        return Boolean.TRUE.equals(store.partitions().remove(P, key, cell).block());
    }

    @Test
    void removedKeyIsGoneAlsoAfterReopening() {
        Key key = Key.of("cart");
        Cell deletion = Draft.tombstone().stamp(key, new Version(2, 1), 3);
        write(P, key, value(key, 1, "v"));
        reopen();
        write(P, key, deletion);

        assertThat(remove(key, deletion)).isTrue();

        assertThat(store.read(P, key).blockOptional()).isEmpty();
        assertThat(scan(KeyRange.of(P))).isEmpty();
        reopen();
        assertThat(store.read(P, key).blockOptional()).isEmpty();
        write(P, key, value(key, 1, "older than what was removed"));
        assertThat(store.read(P, key).blockOptional()).isPresent();
    }

    @Test
    void onlyTheCellThatWasNamedIsRemoved() {
        Key key = Key.of("cart");
        Cell older = value(key, "older");
        Cell newer = value(key, "newer");
        write(P, key, older);
        write(P, key, newer);

        assertThat(remove(key, older)).isFalse();
        assertThat(remove(Key.of("none"), older)).isFalse();

        assertThat(store.read(P, key).block()).isEqualTo(newer);
    }

    /** All in one commit, before and behind the removal: the newer write stays, in whatever order they were queued. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void removalNeverTakesANewerWrite(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            Key key = Key.of("key-" + round);
            Cell deletion = Draft.tombstone().stamp(key, new Version(1, 1), 3);
            Cell newer = value(key, 2, "newer");
            write(P, key, deletion);

            Mono<?> write = store.write(P, key, newer);
            Mono<?> removal = store.partitions().remove(P, key, deletion);
            Flux<?> others = Flux.range(0, random.nextInt(5))
                    .flatMap(i -> store.write(P, Key.of("other-" + i), value(Key.of("other-" + i), 3, "v")));
            List<Mono<?>> all = random.nextBoolean() ? List.of(write, others.then(), removal) : List.of(removal, write);
            Mono.when(all).block();

            assertThat(store.read(P, key).block()).isEqualTo(newer);
        }
    }

    /** What is in memory RocksDB guesses by the heights of a list whose levels are drawn by chance: it may be a third or three times as much. */
    @Test
    void sizeGrowsWithWhatIsWritten() {
        for (int i = 0; i < 2000; i++) {
            write(P, Key.of("key-" + i), value(Key.of("key-" + i), "x".repeat(100)));
        }
        assertThat(size(P).cells()).isBetween(500L, 8000L);
        assertThat(size(P).bytes()).isBetween(60_000L, 1_000_000L);

        reopen(); // From the log, and so into a file.

        assertThat(size(P).cells()).isBetween(1000L, 4000L);
        assertThat(size(P).bytes()).isPositive();
        assertThat(size(8).cells()).isLessThan(100);
    }

    private PartitionSize size(int partition) {
        return Objects.requireNonNull(store.partitions().size(partition).block());
    }

    @Test
    void noteSurvivesReopening() {
        assertThat(store.notes().note("mine").blockOptional()).isEmpty();
        store.notes().note("mine", new byte[] {1, 2}).block();

        reopen();

        assertThat(store.notes().note("mine").block()).containsExactly(1, 2);
        assertThat(store.notes().note("other").blockOptional()).isEmpty();
    }

    @Test
    void closedStoreRefuses() {
        store.close();

        assertThatThrownBy(() -> scan(KeyRange.of(P))).isInstanceOf(StoreOverloadedException.class);
        assertThatThrownBy(() -> remove(Key.of("any"), value(Key.of("any"), "v")))
                .isInstanceOf(StoreOverloadedException.class);

        open();
    }

    private static final PartitionDrops.Permit GRANTED = work -> work.getAsBoolean();

    private Map<Key, Cell> held(int partition) {
        Map<Key, Cell> held = new HashMap<>();
        var _ = store.partitions()
                .scan(KeyRange.of(partition), ALL, (key, cell) -> held.put(key, cell) == null)
                .block();
        return held;
    }

    private void fill(int... partitions) {
        for (int partition : partitions) {
            for (int i = 0; i < 50; i++) {
                store.write(partition, Key.of("key-" + i), value(Key.of("key-" + i), "v"))
                        .block();
            }
        }
    }

    @ValueSource(ints = {P, 0, 0xFFFE, 0xFFFF})
    @ParameterizedTest
    void droppedPartitionIsGoneAndItsNeighboursAreNot(int partition) {
        fill(partition);
        if (partition > 0) {
            fill(partition - 1);
        }
        if (partition < 0xFFFF) {
            fill(partition + 1);
        }
        try (PartitionDrops.Watch watch = store.drops().watch(partition)) {
            assertThat(watch.drop(GRANTED).block()).isTrue();
        }

        reopen();

        assertThat(held(partition)).isEmpty();
        assertThat(store.read(partition, Key.of("key-1")).block()).isNull();
        if (partition > 0) {
            assertThat(held(partition - 1)).hasSize(50);
        }
        if (partition < 0xFFFF) {
            assertThat(held(partition + 1)).hasSize(50);
        }
    }

    /** It may come back: then it has to be as any other. */
    @Test
    void whatIsWrittenAfterADropIsThereEvenIfItIsOlder() {
        Cell older = value(Key.of("key-1"), "older");
        fill(P);
        try (PartitionDrops.Watch watch = store.drops().watch(P)) {
            assertThat(watch.drop(GRANTED).block()).isTrue();
        }

        store.write(P, Key.of("key-1"), older).block();

        assertThat(held(P)).containsOnlyKeys(Key.of("key-1"));
        assertThat(store.read(P, Key.of("key-1")).block()).isEqualTo(older);
    }

    @Test
    void partitionThatWasWrittenToMeanwhileIsNotDropped() {
        fill(P);
        try (PartitionDrops.Watch watch = store.drops().watch(P)) {
            store.write(P, Key.of("late"), value(Key.of("late"), "v")).block();

            assertThat(watch.drop(GRANTED).block()).isFalse();
        }
        assertThat(held(P)).hasSize(51);
    }

    @Test
    void writesElsewhereDoNotKeepAPartition() {
        fill(P);
        try (PartitionDrops.Watch watch = store.drops().watch(P)) {
            fill(P + 1);

            assertThat(watch.drop(GRANTED).block()).isTrue();
        }
    }

    @Test
    void nothingIsDroppedWithoutPermissionNorAfterTheWatchHasEnded() {
        fill(P);
        PartitionDrops.Watch watch = store.drops().watch(P);

        assertThat(watch.drop(work -> false).block()).isFalse();
        watch.close();
        assertThat(watch.drop(GRANTED).block()).isFalse();

        assertThat(held(P)).hasSize(50);
    }
}
