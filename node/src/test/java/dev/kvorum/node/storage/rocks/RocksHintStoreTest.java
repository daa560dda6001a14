package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.storage.HintBacklog;
import dev.kvorum.node.storage.HintPage;
import dev.kvorum.node.storage.StoreOverloadedException;
import dev.kvorum.node.storage.StoredHint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdb.RocksDBException;
import org.springframework.util.unit.DataSize;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A real database in a directory of its own. */
@Timeout(60)
class RocksHintStoreTest {
    private static final Key KEY = Key.of("cart-7");
    private static final int ALL = 10_000;
    private static final long ROOM = 1 << 20; // The least that the settings allow.

    @TempDir
    Path directory;

    private final AtomicInteger commits = new AtomicInteger();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private RocksDatabase database;
    private RocksHintStore store;

    @BeforeEach
    void open() {
        database = RocksDatabase.open(directory, SmallStore.settings());
        store = new RocksHintStore(database, settings(ROOM), commits::incrementAndGet);
    }

    private static HintSettings settings(long bytesMax) {
        return Settings.of(HintSettings.class)
                .with("bytesMax", DataSize.ofBytes(bytesMax))
                .with("memory", DataSize.ofMegabytes(1))
                .get();
    }

    @AfterEach
    void end() {
        goOn.countDown(); // Whatever has become of the test: closing waits for the store's thread.
        close();
    }

    private void close() {
        store.close();
        database.close();
    }

    private void reopen() {
        close();
        open();
    }

    private static Cell cell(long millis) {
        return cell(millis, 1);
    }

    private static Cell cell(long millis, int valueBytes) {
        return Draft.ofValue(new byte[valueBytes]).stamp(KEY, new Version(millis << 16, 1), 3);
    }

    private int put(String member, Cell cell) {
        Integer gone = store.put(member, KEY, cell).block();
        return gone == null ? -1 : gone;
    }

    private List<StoredHint> hints(String member) {
        HintPage page = store.page(member, 0, ALL, Long.MAX_VALUE).block();
        return page == null ? List.of() : page.hints();
    }

    private HintBacklog backlog(String member) {
        return Objects.requireNonNull(store.waiting().get(member));
    }

    /** When the hints for a member were written, in their order. */
    private List<Long> times(String member) {
        return times(hints(member));
    }

    private static List<Long> times(List<StoredHint> hints) {
        return hints.stream().map(hint -> hint.cell().version().millis()).toList();
    }

    @Test
    void hintsAreKeptByMemberInTheirOrder() {
        put("n2", cell(1));
        put("n3", cell(2));
        put("n2", cell(3));

        assertThat(hints("n2")).extracting(StoredHint::cell).containsExactly(cell(1), cell(3));
        assertThat(hints("n2")).extracting(StoredHint::key).containsOnly(KEY);
        assertThat(times("n3")).containsExactly(2L);
        assertThat(hints("n1")).isEmpty();
    }

    @Test
    void membersWhoseNamesBeginAlikeDoNotSeeEachOther() {
        put("n1", cell(1));
        put("n10", cell(2));
        put("n", cell(3));

        assertThat(times("n1")).containsExactly(1L);
        assertThat(times("n10")).containsExactly(2L);
        assertThat(times("n")).containsExactly(3L);
    }

    @Test
    void waitingIsWhatWasPutAndNotRemoved() {
        put("n2", cell(5));
        put("n2", cell(6));
        int bytes = HintLayout.bytes("n2", KEY, cell(5));

        assertThat(store.waiting()).containsExactly(Map.entry("n2", new HintBacklog(2, 2L * bytes, 5)));

        store.remove("n2", hints("n2").subList(0, 1)).block();

        assertThat(store.waiting()).containsExactly(Map.entry("n2", new HintBacklog(1, bytes, 6)));

        store.remove("n2", hints("n2")).block();

        assertThat(store.waiting()).isEmpty();
    }

    @Test
    void hintsAndTheirAccountsOutliveARestart() {
        for (int i = 1; i <= 10; i++) {
            put("n2", cell(i));
        }
        store.remove("n2", hints("n2").subList(0, 4)).block();
        Map<String, HintBacklog> before = Map.copyOf(store.waiting());

        reopen();

        assertThat(store.waiting()).isEqualTo(before);
        assertThat(times("n2")).containsExactly(5L, 6L, 7L, 8L, 9L, 10L);

        put("n2", cell(11));

        assertThat(times("n2")).endsWith(10L, 11L);
    }

    /** A page that was read in a former life, or before its hints went, must not touch what came later. */
    @Test
    void numberOfAHintIsNeverGivenAgain() {
        put("n2", cell(1));
        List<StoredHint> first = hints("n2");
        store.remove("n2", first).block();
        reopen();

        put("n2", cell(2));
        store.remove("n2", first).block();

        assertThat(times("n2")).containsExactly(2L);
        assertThat(backlog("n2").hints()).isOne();
    }

    @Test
    void pageBeginsWhereItIsToldAndIsBoundedInNumberAndBytes() {
        for (int i = 1; i <= 10; i++) {
            put("n2", cell(i, 1000));
        }
        long third = hints("n2").get(2).sequence();

        assertThat(times(page(third, 4, Long.MAX_VALUE))).containsExactly(3L, 4L, 5L, 6L);
        assertThat(times(page(third, 100, 2500))).containsExactly(3L, 4L);
        assertThat(times(page(third, 100, 1))).as("one may be longer").containsExactly(3L);
        assertThat(page(third + 8, 100, 2500)).isEmpty();
    }

    private List<StoredHint> page(long from, int hintsMax, long bytesMax) {
        HintPage page = store.page("n2", from, hintsMax, bytesMax).block();
        return page == null ? List.of() : page.hints();
    }

    @Test
    void hintsInTheMiddleCanBeRemoved() {
        for (int i = 1; i <= 5; i++) {
            put("n2", cell(i));
        }
        List<StoredHint> all = hints("n2");

        store.remove("n2", List.of(all.get(1), all.get(3))).block();

        assertThat(times("n2")).containsExactly(1L, 3L, 5L);
        assertThat(backlog("n2").hints()).isEqualTo(3);
        assertThat(backlog("n2").oldestMillis()).isOne();
    }

    @Test
    void whereThereIsNoRoomTheOldestOfAllGo() {
        int each = HintLayout.bytes("n2", KEY, cell(1, 100_000));
        int fit = (int) (ROOM / each);
        assertThat(put("n3", cell(1, 100_000))).isZero();
        for (int i = 2; i <= fit; i++) {
            assertThat(put("n2", cell(i, 100_000))).isZero();
        }

        assertThat(put("n2", cell(fit + 1, 100_000))).isOne();

        assertThat(store.waiting()).as("that of n3 was the oldest").containsOnlyKeys("n2");

        assertThat(put("n3", cell(fit + 2, 100_000))).isOne();

        assertThat(times("n2")).hasSize(fit - 1).startsWith(3L);
        assertThat(total()).isEqualTo((long) fit * each).isLessThanOrEqualTo(ROOM);
    }

    @Test
    void longHintTakesTheRoomOfManyShortOnes() {
        for (int i = 1; i <= 9; i++) {
            put("n2", cell(i, 100_000));
        }

        assertThat(put("n3", cell(10, 500_000))).isEqualTo(4);
        assertThat(times("n2")).containsExactly(5L, 6L, 7L, 8L, 9L);
    }

    private long total() {
        return store.waiting().values().stream().mapToLong(HintBacklog::bytes).sum();
    }

    @Test
    void hintThatAloneIsTooLongIsRefusedAndNothingGoesForIt() {
        put("n2", cell(1));

        assertThatThrownBy(() -> put("n2", cell(2, (int) ROOM))).isInstanceOf(StoreOverloadedException.class);
        assertThat(times("n2")).containsExactly(1L);
    }

    /** It was read before it had to go: whoever brought it to its member removes it as well. */
    @Test
    void hintThatHadToGoIsNotRemovedASecondTime() {
        for (int i = 1; i <= 9; i++) {
            put("n2", cell(i, 100_000));
        }
        List<StoredHint> read = hints("n2");
        put("n2", cell(10, 500_000));
        long bytes = backlog("n2").bytes();

        store.remove("n2", read.subList(0, 4)).block();

        assertThat(backlog("n2").bytes()).isEqualTo(bytes);
        assertThat(backlog("n2").hints()).isEqualTo(6);
    }

    @Test
    void oldHintsExpireFromTheHeadsOfAllQueues() {
        put("n2", cell(1));
        put("n3", cell(2));
        put("n2", cell(3));
        put("n2", cell(10));

        assertThat(store.expire(10).block()).isEqualTo(3);

        assertThat(store.waiting()).containsOnlyKeys("n2");
        assertThat(times("n2")).containsExactly(10L);
        assertThat(store.expire(10).block()).isZero();
    }

    @Test
    void damagedHintIsRemovedAndCountedAndDoesNotHideTheOthers() throws RocksDBException {
        put("n2", cell(1));
        put("n2", cell(2));
        put("n2", cell(3));
        byte[] second = HintLayout.key("n2", hints("n2").get(1).sequence());
        byte[] value = HintLayout.value(KEY, cell(2));
        value[2 + KEY.utf8().length + 16] = 9; // No kind of cell.
        database.db().put(database.hints(), second, value);

        HintPage page = store.page("n2", 0, ALL, Long.MAX_VALUE).block();

        assertThat(page).isNotNull().satisfies(read -> {
            assertThat(times(read.hints())).containsExactly(1L, 3L);
            assertThat(read.damaged()).isOne();
        });
        assertThat(backlog("n2").hints()).isEqualTo(2);
    }

    @Test
    void accountWithoutItsHintsIsSetRight() throws RocksDBException {
        put("n2", cell(1));
        put("n3", cell(1));
        database.db().delete(database.hints(), HintLayout.key("n2", 0));

        reopen();

        assertThat(store.waiting()).containsOnlyKeys("n3");
        put("n2", cell(2));
        assertThat(times("n2")).containsExactly(2L);
        assertThat(total()).isEqualTo(2L * HintLayout.bytes("n2", KEY, cell(1)));
    }

    /** The thread of the store stands still meanwhile: nobody who puts a hint may wait for it. */
    @Test
    void hintsThatWaitForTheDiskAreBoundedInBytesAndNobodyWaits() throws InterruptedException, ExecutionException {
        CountDownLatch stalled = new CountDownLatch(1);
        var stall = store.page("n1", 0, 1, 1)
                .doOnNext(page -> {
                    stalled.countDown();
                    await(goOn);
                })
                .toFuture();
        stalled.await();

        List<CompletableFuture<Integer>> puts = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            puts.add(store.put("n2", KEY, cell(i, 100_000)).toFuture());
        }

        assertThat(puts).filteredOn(CompletableFuture::isCompletedExceptionally).hasSize(10);
        assertThat(puts).filteredOn(put -> !put.isDone()).hasSize(10);

        goOn.countDown();
        stall.get();
        for (CompletableFuture<Integer> put : puts.subList(0, 10)) {
            assertThat(put.get()).isZero();
        }
        assertThat(put("n2", cell(21))).as("there is room again").isGreaterThanOrEqualTo(0);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void hintsThatComeTogetherShareACommit() {
        Flux.range(1, 2000)
                .flatMap(i -> store.put("n2", KEY, cell(i)), 2000)
                .then()
                .block();

        assertThat(times("n2")).isSorted().hasSize(2000);
        assertThat(commits).hasValueLessThan(200);
    }

    @Test
    void whatWasAcceptedIsOnTheDiskWhenTheStoreIsClosed() {
        List<CompletableFuture<Integer>> puts = new ArrayList<>();
        for (int i = 1; i <= 500; i++) {
            puts.add(store.put("n2", KEY, cell(i)).toFuture());
        }

        reopen();

        assertThat(puts).allMatch(put -> put.isDone() && !put.isCompletedExceptionally());
        assertThat(hints("n2")).hasSize(500);
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 5);
    }

    /** Against a model that counts anew each time. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void accountsAreRightAfterAnyOperations(long seed) {
        Random random = new Random(seed);
        List<String> members = List.of("n1", "n2", "n3");
        for (int step = 1; step <= 200; step++) {
            String member = members.get(random.nextInt(3));
            switch (random.nextInt(8)) {
                case 0 -> remove(member, random);
                case 1 -> {
                    var _ = store.expire(Math.max(0, step - 60)).block();
                }
                case 2 -> removeLateAfterRoomWasMade(member, random, step);
                case 3 -> {
                    if (random.nextInt(10) == 0) {
                        reopen();
                    }
                }
                default -> put(member, cell(step, random.nextInt(40_000)));
            }
            assertThat(total()).isLessThanOrEqualTo(ROOM);
            for (String each : members) {
                assertThat(store.waiting().get(each))
                        .as("seed " + seed + ", step " + step + ", " + each)
                        .isEqualTo(counted(each));
            }
        }
    }

    private void remove(String member, Random random) {
        List<StoredHint> some = new ArrayList<>(hints(member));
        some.removeIf(hint -> random.nextBoolean());
        store.remove(member, some).block();
    }

    private void removeLateAfterRoomWasMade(String member, Random random, int step) {
        List<StoredHint> read = hints(member);
        Mono.when(store.put("n1", KEY, cell(step, 400_000)), store.put("n2", KEY, cell(step, random.nextInt(400_000))))
                .block();
        store.remove(member, read).block();
    }

    private @Nullable HintBacklog counted(String member) {
        List<StoredHint> all = hints(member);
        return all.isEmpty()
                ? null
                : new HintBacklog(
                        all.size(),
                        all.stream().mapToLong(StoredHint::bytes).sum(),
                        times(all).getFirst());
    }
}
