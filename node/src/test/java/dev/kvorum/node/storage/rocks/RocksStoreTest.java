package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.config.StorageSettings.Durability;
import dev.kvorum.node.storage.CallingLoop;
import dev.kvorum.node.storage.DataDirectoryException;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.StoreOverloadedException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/** A real database in a directory of its own. */
@Timeout(60)
class RocksStoreTest {
    private static final Key KEY = Key.of("cart-7");
    private static final int QUEUE = 256;

    @TempDir
    Path directory;

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private RocksStore store;

    @BeforeEach
    void open() {
        store = open(Durability.ASYNC, QUEUE);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private RocksStore open(Durability durability, int queue) {
        return RocksStore.open(directory, settings(durability, queue), SmallStore.hints(), CallingLoop.NONE, meters);
    }

    private static StorageSettings settings(Durability durability, int queue) {
        return SmallStore.settings(durability, Duration.ofMillis(100), queue);
    }

    private void reopen(Duration syncInterval) {
        store.close();
        StorageSettings settings = SmallStore.settings(Durability.ASYNC, syncInterval, QUEUE);
        store = RocksStore.open(directory, settings, SmallStore.hints(), CallingLoop.NONE, meters);
    }

    private void reopen() {
        reopen(Durability.ASYNC, QUEUE);
    }

    private void reopen(Durability durability, int queue) {
        store.close();
        store = open(durability, queue);
    }

    private static Cell value(long time, String text) {
        return Draft.ofValue(text.getBytes(StandardCharsets.UTF_8)).stamp(KEY, new Version(time, 1), 3);
    }

    private static Cell tombstone(long time) {
        return Draft.tombstone().stamp(KEY, new Version(time, 1), 3);
    }

    private void write(int partition, Key key, Cell cell) {
        store.write(partition, key, cell).block();
    }

    private Optional<Cell> read(int partition, Key key) {
        return store.read(partition, key).blockOptional();
    }

    @Test
    void whatIsWrittenIsRead() {
        write(7, KEY, value(1, "apples"));

        assertThat(read(7, KEY)).contains(value(1, "apples"));
    }

    @Test
    void keyThatWasNeverWrittenIsEmpty() {
        write(7, KEY, value(1, "apples"));

        assertThat(read(7, Key.of("cart-"))).isEmpty();
        assertThat(read(7, Key.of("cart-77"))).isEmpty();
    }

    @Test
    void partitionsDoNotSeeEachOther() {
        write(1, KEY, value(1, "one"));
        write(256, KEY, value(2, "two"));

        assertThat(read(1, KEY)).contains(value(1, "one"));
        assertThat(read(256, KEY)).contains(value(2, "two"));
        assertThat(read(0, KEY)).isEmpty();
        assertThat(read(257, KEY)).isEmpty();
    }

    @Test
    void tombstoneIsACellLikeAnyOther() {
        write(7, KEY, value(1, "apples"));
        write(7, KEY, tombstone(2));
        write(7, KEY, value(1, "apples"));

        assertThat(read(7, KEY)).contains(tombstone(2));
    }

    /** Longer, or greater as a string, is not newer. */
    @Test
    void olderValueDoesNotWinByItsContent() {
        write(7, KEY, value(2, ""));
        write(7, KEY, value(1, "zzzzzzzz"));

        assertThat(read(7, KEY)).contains(value(2, ""));
    }

    /** In batches, one by one, and over a reopening that leaves some in a file and some in the log. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void newestWinsWhateverTheOrderOfWrites(long seed) {
        Random random = new Random(seed);
        List<Cell> cells = new ArrayList<>();
        for (int time = 1; time <= 100; time++) {
            cells.add(random.nextInt(4) == 0 ? tombstone(time) : value(time, "v" + random.nextInt()));
        }
        Cell newest = cells.getLast();
        Collections.shuffle(cells, random);

        Mono.when(cells.subList(0, 40).stream()
                        .map(cell -> store.write(7, KEY, cell))
                        .toList())
                .block();
        reopen();
        cells.subList(40, 70).forEach(cell -> write(7, KEY, cell));
        reopen();
        cells.subList(70, 100).forEach(cell -> write(7, KEY, cell));

        assertThat(read(7, KEY)).contains(newest);
        reopen();
        assertThat(read(7, KEY)).contains(newest);
    }

    /** In files below level 0 then, whose indexes no memory has yet. */
    @Test
    void keyIsFoundAfterCompactionAndReopening() throws RocksDBException {
        write(7, KEY, value(1, "apples"));
        store.close();
        try (RocksDatabase database = RocksDatabase.open(directory, settings(Durability.ASYNC, QUEUE))) {
            database.db().compactRange(database.cells());
        }

        store = open(Durability.ASYNC, QUEUE);

        assertThat(read(7, KEY)).contains(value(1, "apples"));
        assertThat(reads("disk")).isOne();
        assertThat(read(7, KEY)).contains(value(1, "apples"));
        assertThat(reads("memory")).isOne();
        assertThat(store.isFailing()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void acknowledgedWriteSurvivesReopening(Durability durability) {
        reopen(durability, QUEUE);
        write(7, KEY, value(1, "apples"));

        reopen(durability, QUEUE);

        assertThat(read(7, KEY)).contains(value(1, "apples"));
    }

    @Test
    void acceptedWriteIsFinishedByClosing() {
        List<CompletableFuture<?>> accepted = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            accepted.add(store.write(i, KEY, value(1, "apples")).toFuture());
        }

        reopen();

        assertThat(accepted).allSatisfy(write -> assertThat(write).isCompleted());
        for (int i = 0; i < 100; i++) {
            assertThat(read(i, KEY)).contains(value(1, "apples"));
        }
    }

    @Test
    void writesOfAnEventLoopAreCommittedTogetherAndAnsweredThereTogether() throws InterruptedException {
        BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        Executor loop = tasks::add;
        store.close();
        store = RocksStore.open(directory, settings(Durability.ASYNC, QUEUE), SmallStore.hints(), () -> loop, meters);

        List<CompletableFuture<?>> writes = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            writes.add(store.write(i, KEY, value(1, "apples")).toFuture());
        }
        tasks.take().run(); // The end of the turn: the store begins.
        Runnable answers = tasks.take();

        assertThat(writes).allSatisfy(write -> assertThat(write).isNotDone());
        answers.run();
        assertThat(writes).allSatisfy(write -> assertThat(write).isCompleted());
        assertThat(tasks).isEmpty();
        assertThat(meters.summary("kvorum.storage.commit.writes").count()).isOne();
    }

    @Test
    void writeOfAnEventLoopThatEndsMeanwhileIsAnsweredAllTheSame() {
        Executor ended = task -> {
            throw new RejectedExecutionException("as the test says");
        };
        store.close();
        store = RocksStore.open(directory, settings(Durability.ASYNC, QUEUE), SmallStore.hints(), () -> ended, meters);

        write(7, KEY, value(1, "apples"));

        assertThat(read(7, KEY)).contains(value(1, "apples"));
    }

    @Test
    void cancelledWriteIsCarriedOutAllTheSame() {
        store.write(7, KEY, value(1, "apples")).subscribe().dispose();

        reopen();

        assertThat(read(7, KEY)).contains(value(1, "apples"));
    }

    @Test
    void fullQueueRefusesReadsAtOnceAndCountsThem() throws InterruptedException {
        write(7, KEY, value(1, "apples"));
        reopen(Durability.ASYNC, 2); // Now it is on the disk alone.

        try (Held held = new Held(store)) {
            List<CompletableFuture<Cell>> waiting =
                    List.of(store.read(7, KEY).toFuture(), store.read(7, KEY).toFuture());

            assertThatThrownBy(() -> read(7, KEY)).isInstanceOf(StoreOverloadedException.class);
            assertThat(meters.counter("kvorum.storage.refused").count()).isOne();

            held.release();
            assertThat(waiting).allSatisfy(read -> assertThat(read.join()).isEqualTo(value(1, "apples")));
        }
    }

    /** Their clients may have gone: whoever sends a body and hangs up has given its memory back. */
    @Test
    void writesThatWaitTakeNoMoreMemoryThanTheyMay() throws InterruptedException {
        store.close();
        MeterRegistry own = new SimpleMeterRegistry();
        store = RocksStore.open(
                directory, settings(Durability.ASYNC, QUEUE), SmallStore.hints(), 1000, CallingLoop.NONE, own);

        try (Held held = new Held(store.write(0, Key.of("held"), value(1, "held")))) {
            CompletableFuture<?> waits =
                    store.write(7, KEY, value(1, "x".repeat(900))).toFuture();

            assertThatThrownBy(() -> write(7, KEY, value(2, "y".repeat(100))))
                    .isInstanceOf(StoreOverloadedException.class);
            assertThat(own.counter("kvorum.storage.refused").count()).isOne();
            assertThat(own.get("kvorum.storage.queue.bytes").gauge().value()).isBetween(900.0, 1000.0);
            assertThat(store.fullness()).isBetween(0.9, 1.0);

            held.release();
            waits.join();
            write(7, KEY, value(3, "z".repeat(2000))); // It is alone.
        }

        assertThat(own.get("kvorum.storage.queue.bytes").gauge().value()).isZero();
    }

    @Test
    void readThatMemoryAnswersWaitsForNoThread() throws InterruptedException {
        write(7, KEY, value(1, "apples"));

        try (Held held = new Held(store)) {
            assertThat(store.read(7, KEY).toFuture()).isCompletedWithValue(value(1, "apples"));
        }

        assertThat(reads("memory")).isOne();
    }

    @Test
    void longValuesAreReadByAThreadOfTheStoreUntilAnswersAreShortAgain() {
        Key large = Key.of("large");
        write(7, KEY, value(1, "apples"));
        write(7, large, value(1, "x".repeat(1 << 20)).anew(large, new Version(1, 1), 3));

        read(7, large); // Nothing is known of it before the first.
        assertThat(reads("memory")).isOne();
        read(7, large);
        assertThat(reads("memory")).isOne();
        assertThat(reads("disk")).isOne();

        for (int i = 0; i < 100; i++) {
            assertThat(read(7, KEY)).contains(value(1, "apples"));
        }
        assertThat(reads("memory")).isGreaterThan(50);
        assertThat(meters.get("kvorum.storage.read.recent.bytes").gauge().value())
                .isLessThan(100);
    }

    /** The disk has an overwrite of what memory has, and the other way round: half of the truth is no answer. */
    @ParameterizedTest
    @CsvSource({"1, 2", "2, 1"})
    void newestOfMemoryAndDiskWins(long onDisk, long inMemory) {
        write(7, KEY, value(onDisk, "apples"));
        reopen();
        write(7, KEY, value(inMemory, "apples"));

        assertThat(read(7, KEY)).contains(value(2, "apples"));
        assertThat(reads("disk")).isOne();
    }

    private double reads(String from) {
        return meters.counter("kvorum.storage.reads", "from", from).count();
    }

    /** Reads have threads of their own. */
    @Test
    void writesGoOnWhileReadsAreHeldUp() throws InterruptedException {
        try (Held held = new Held(store)) {
            write(7, KEY, value(1, "apples"));

            held.release();
            assertThat(read(7, KEY)).contains(value(1, "apples"));
        }
    }

    @Test
    void readThatIsCancelledBeforeItBeganIsNotCarriedOut() throws InterruptedException {
        write(7, KEY, value(1, "apples"));
        reopen();

        try (Held held = new Held(store)) {
            store.read(7, KEY).subscribe().dispose();

            held.release();
            assertThat(read(7, KEY)).isPresent(); // Behind the cancelled one in the same queue.
        }

        assertThat(meters.counter("kvorum.storage.reads.spared").count()).isOne();
    }

    @Test
    void closedStoreRefuses() {
        store.close();

        assertThatThrownBy(() -> write(7, KEY, value(1, "apples"))).isInstanceOf(StoreOverloadedException.class);
        assertThatThrownBy(() -> read(7, KEY)).isInstanceOf(StoreOverloadedException.class);

        store = open(Durability.ASYNC, QUEUE);
    }

    @Test
    void newDirectoryHasNoFormerLife() {
        assertThat(store.newestOfFormerLife()).isZero();
    }

    @Test
    void clockNoteSurvivesReopening() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(2); // Asked again, it has noted the first answer.
        reopen(Duration.ofMillis(1));
        store.keepNewest(() -> {
            asked.countDown();
            return 0x0123_4567_89AB_CDEFL;
        });
        asked.await();

        reopen();

        assertThat(store.newestOfFormerLife()).isEqualTo(0x0123_4567_89AB_CDEFL);
    }

    /** Else a node that fails again within the interval would begin its next life where it began this one. */
    @Test
    void firstClockNoteDoesNotWaitForTheInterval() {
        reopen(Duration.ofMinutes(1));
        store.keepNewest(() -> 42);

        assertThat(store.newestOfFormerLife()).isEqualTo(42);
    }

    /** Such a life issues nothing. With a note of 0 the next one would begin below the versions of the life before. */
    @Test
    void clockNoteSurvivesALifeThatEndsBeforeItsClockBegins() {
        store.keepNewest(() -> 42);
        reopen();
        write(7, KEY, value(1, "apples"));

        reopen();

        assertThat(store.newestOfFormerLife()).isEqualTo(42);
    }

    @Test
    void latestClockNoteIsTheOneThatSurvives() throws InterruptedException {
        AtomicLong newest = new AtomicLong();
        CountDownLatch asked = new CountDownLatch(5);
        reopen(Duration.ofMillis(1));
        store.keepNewest(() -> {
            asked.countDown();
            return newest.incrementAndGet();
        });
        asked.await();

        reopen();

        assertThat(store.newestOfFormerLife()).isBetween(4L, newest.get());
    }

    /** An error as well: it would otherwise end the syncing, and with it what durability promises, without a word. */
    @Test
    void syncingGoesOnAfterWhateverItMeets() throws InterruptedException {
        List<Boolean> failing = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch asked = new CountDownLatch(4); // Once by the round that fails, twice by each that does not.
        reopen(Duration.ofMillis(1));
        store.keepNewest(() -> {
            failing.add(store.isFailing());
            asked.countDown();
            if (failing.size() == 1) {
                throw new AssertionError("planted");
            }
            return failing.size();
        });

        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(failing).startsWith(false, true, true, false);
    }

    /** What was acknowledged before would else be lost with the machine, however long ago that was. */
    @Test
    void theLogIsSyncedWhileTheDatabaseTakesNoWrites() throws Exception {
        store.close();
        StorageSettings settings = SmallStore.settings(Durability.ASYNC, Duration.ofMillis(1), QUEUE);
        RocksDatabase database = RocksDatabase.open(directory, settings);
        store = new RocksStore(database, settings, SmallStore.hints(), 1 << 20, CallingLoop.NONE, meters);
        BlockingQueue<Long> syncs = new LinkedBlockingQueue<>();
        AtomicLong newest = new AtomicLong();
        store.keepNewest(() -> {
            syncs.add(newest.incrementAndGet());
            return newest.get();
        });

        database.db().pauseBackgroundWork();
        CompletableFuture<@Nullable Void> write;
        try {
            fillMemtables(database);
            goesOn(syncs);
            write = store.write(7, KEY, value(1, "apples")).toFuture(); // Holds the writer.
            goesOn(syncs);
            assertThat(write).isNotDone();
            assertThat(store.isFailing()).isFalse();
        } finally {
            database.db().continueBackgroundWork();
        }

        write.join();
        assertThat(read(7, KEY)).contains(value(1, "apples"));
    }

    private static void fillMemtables(RocksDatabase database) throws RocksDBException {
        try (FlushOptions options = new FlushOptions().setWaitForFlush(false).setAllowWriteStall(true)) {
            for (int memtable = 0; memtable < 2; memtable++) {
                byte[] key = StorageKey.of(memtable, KEY);
                database.db().merge(database.cells(), key, value(1, "pears").bytes());
                database.db().flush(options, database.cells());
            }
        }
        assertThat(database.property("rocksdb.is-write-stopped")).isEqualTo(1);
    }

    /** Whoever waits for the database asks for the time of one round, and no more. */
    private static void goesOn(BlockingQueue<Long> syncs) throws InterruptedException {
        syncs.clear();
        for (int call = 0; call < 10; call++) {
            assertThat(syncs.poll(10, TimeUnit.SECONDS)).isNotNull();
        }
    }

    /** The first holds the writer until the others wait behind it, so that they share a commit. */
    @Test
    void writerThatThrowsOnItsAnswerKeepsNoOtherFromTheirs() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        store.write(7, KEY, value(1, "apples")).subscribe(onAnswer(() -> {
            begun.countDown();
            Held.await(released);
        }));
        begun.await();

        store.write(7, KEY, value(2, "apples")).subscribe(onAnswer(() -> {
            throw new IllegalStateException("planted");
        }));
        CompletableFuture<?> next = store.write(7, KEY, value(3, "apples")).toFuture();
        released.countDown();

        assertThat(next).succeedsWithin(Duration.ofSeconds(10));
    }

    @Test
    void readerThatThrowsOnItsAnswerKeepsNoOtherFromTheirs() throws InterruptedException {
        try (Held held = new Held(store)) {
            store.read(7, KEY).subscribe(onAnswer(() -> {
                throw new IllegalStateException("planted");
            }));
            CompletableFuture<?> next = store.read(7, KEY).toFuture();
            held.release();

            assertThat(next).succeedsWithin(Duration.ofSeconds(10));
        }
    }

    /** Reactor's own subscribers catch what their receivers throw; this one does not. */
    private static <T> CoreSubscriber<T> onAnswer(Runnable receiver) {
        return new CoreSubscriber<>() {
            @Override
            public void onSubscribe(Subscription subscription) {
                subscription.request(1);
            }

            @Override
            public void onNext(T cell) {}

            @Override
            public void onError(Throwable e) {}

            @Override
            public void onComplete() {
                receiver.run();
            }
        };
    }

    @Test
    void directoryInUseIsRefusedWithTheRemedy() {
        assertThatThrownBy(() -> open(Durability.ASYNC, QUEUE))
                .isInstanceOfSatisfying(DataDirectoryException.class, refusal -> {
                    assertThat(refusal).hasMessageContaining("is in use by another process");
                    assertThat(refusal.remedy()).contains("--kvorum.data-dir");
                });
    }

    /** Holds up the store's only reader until released. */
    private static final class Held implements AutoCloseable {
        private final CountDownLatch released = new CountDownLatch(1);

        Held(RocksStore store) throws InterruptedException {
            this(store.read(0, Key.of("held")));
        }

        /** @param operation whose thread it holds when that has been carried out */
        Held(Mono<?> operation) throws InterruptedException {
            CountDownLatch begun = new CountDownLatch(1);
            var _ = operation.subscribe(cell -> {}, e -> {}, () -> {
                begun.countDown();
                await(released);
            });
            begun.await();
        }

        private static void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        void release() {
            released.countDown();
        }

        @Override
        public void close() {
            release();
        }
    }
}
