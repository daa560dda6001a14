package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.storage.directory.DataDirectory;
import dev.kvorum.node.storage.directory.OwnerOnly;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the database, once a second, on a thread of its own. RocksDB takes no writes after some errors of its background work and of its
 * log, until it is opened again. The keeper then
 *
 * <ol>
 *   <li>says the cause and the remedy, in the log and to whoever asks for the {@link #objection};
 *   <li>waits until a file can be written, and synced, beside the database: reads go on meanwhile, and RocksDB may recover by itself;
 *   <li>opens the database again;
 *   <li>ends the process if opening it fails too often.
 * </ol>
 *
 * <p>A damaged file is mended by none of these: the objection stays, also after a restart, while the file is there and damaged ({@link FileDamage}). A directory that
 * was moved, deleted or replaced ends the process at once.
 */
final class DatabaseKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseKeeper.class);
    private static final long PERIOD_MS = 1000;
    private static final Duration UNUSED_WITHIN = Duration.ofSeconds(10); // A batch or a scan takes less.
    private static final Duration BY_ITSELF = Duration.ofSeconds(10); // RocksDB looks for free space every 5 s.
    private static final Duration SOUND_AFTER = Duration.ofMinutes(1);
    private static final int REOPENINGS_MAX = 3;
    private static final int TRIED_BYTES = 1 << 20;
    private static final String TRIED = "probe";

    private final RocksDatabase database;
    private final DataDirectory directory;
    private final Supplier<List<DiskFailure>> failures;
    private final Runnable worksAgain;
    private final Consumer<String> end;
    private final LongSupplier nanos;
    private final FileDamage damage;
    private final ScheduledExecutorService thread = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("kvorum-store-keeper").daemon().factory());
    private volatile @Nullable String objection; // But for damage.
    private final AtomicLong errors = new AtomicLong(); // Those that RocksDB's present count does not have.
    // The rest is the thread's.
    private long reported; // By RocksDB, since it was opened.
    private boolean stopped;
    private int reopenings;
    private long goneSince; // When the cause was gone; 0 if it is not.
    private long soundSince;

    /** A keeper without a thread: it looks at the database only in {@link #look}. */
    DatabaseKeeper(
            RocksDatabase database,
            DataDirectory directory,
            Supplier<List<DiskFailure>> failures,
            Runnable worksAgain,
            Consumer<String> end,
            LongSupplier nanos) {
        this.database = database;
        this.directory = directory;
        this.failures = failures;
        this.worksAgain = worksAgain;
        this.end = end;
        this.nanos = nanos;
        this.damage = new FileDamage(database, directory, nanos);
        this.soundSince = nanos.getAsLong();
    }

    /**
     * Begins to look after a database. Blocks while a file that was found damaged by a former life is verified.
     *
     * @param failures the kinds of operations that may fail
     * @param worksAgain hears that the database takes writes again, after an operation has failed
     * @param end ends the process, with the reason and the remedy
     */
    static DatabaseKeeper begin(
            RocksDatabase database,
            DataDirectory directory,
            Supplier<List<DiskFailure>> failures,
            Runnable worksAgain,
            Consumer<String> end,
            MeterRegistry meters) {
        DatabaseKeeper keeper = new DatabaseKeeper(database, directory, failures, worksAgain, end, System::nanoTime);
        keeper.damage.recall();
        Gauge.builder("kvorum.rocksdb.background.errors", keeper, DatabaseKeeper::errors)
                .description("Errors of RocksDB's background work and of its log since the start")
                .register(meters);
        var _ = keeper.thread.scheduleWithFixedDelay(keeper::look, PERIOD_MS, PERIOD_MS, TimeUnit.MILLISECONDS);
        return keeper;
    }

    /** Why the database takes no writes, or what of it is damaged, and the remedy; empty if all is well. Any thread. */
    Optional<String> objection() {
        List<String> all = Stream.of(damage.inWords(), Optional.ofNullable(objection))
                .flatMap(Optional::stream)
                .toList();
        return all.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", all));
    }

    /** @param hasOthers whether other members hold what this one does: the remedy for damage depends on that. Any thread may ask. */
    void become(BooleanSupplier hasOthers) {
        damage.become(hasOthers);
    }

    double errors() {
        double now = database.property("rocksdb.background-errors");
        return errors.get() + (Double.isNaN(now) ? 0 : now);
    }

    void look() {
        try {
            database.use(this::requireSameDirectory);
            trimLog();
            lookForDamage();
            if (isSuspected()) {
                examine();
            }
        } catch (RuntimeException | Error e) { // A throw would end the looking for good.
            LOG.error("Looking after the database failed; it is tried again", e);
        }
    }

    /** Also while the disk is full: then it makes room. */
    private void trimLog() {
        try {
            LogArchive.of(database.directory()).trim();
        } catch (IOException e) {
            LOG.debug("The files of the log that are kept for others can't be looked at", e);
        }
    }

    private void requireSameDirectory() {
        try {
            // Refused before anything is said: a log that nobody reads may hold that up for ever.
            directory
                    .change()
                    .ifPresent(how -> database.giveUp("the data directory " + directory.path()
                            + " is not the one that it was started with: " + how));
            database.requireSameDirectory();
        } catch (IllegalStateException e) {
            end(e.getMessage() + ".");
        } catch (IOException e) {
            LOG.debug("The data directory can't be looked at", e); // As where there are too many open files.
        }
    }

    private void end(String reason) {
        end.accept(reason + " Nothing is acknowledged any more. Put the directory back, or see to it that nothing else"
                + " moves or deletes it, and start the node again.");
    }

    private void lookForDamage() {
        damage.passed()
                .ifPresent(
                        file -> forget(told -> String.valueOf(told.getMessage()).contains(file)));
        forget(told -> !damage.accuse(told));
    }

    /** @param isNone whether what a failure told of is no damage */
    private void forget(Predicate<RocksDBException> isNone) {
        for (DiskFailure failure : failures.get()) {
            RocksDBException told = failure.damage();
            if (told != null && isNone.test(told)) {
                failure.forget(told);
            }
        }
    }

    private boolean isSuspected() {
        double now = database.property("rocksdb.background-errors");
        return stopped || now > reported || failures.get().stream().anyMatch(this::isUnexplained);
    }

    private boolean isUnexplained(DiskFailure failure) {
        return failure.isSo() && !(damage.isSo() && failure.damage() != null);
    }

    private void examine() {
        Optional<Exception> refused = database.ask(this::refusal);
        if (refused.isEmpty()) {
            sound();
            return;
        }
        Exception e = refused.get();
        if (!(e instanceof RocksDBException rocks && DiskFailure.isDamage(rocks) && damage.accuse(rocks))) {
            stopped(e);
        }
    }

    /** Why the database takes no write; empty if it does. */
    private Optional<Exception> refusal() {
        try {
            database.sync();
            return Optional.empty();
        } catch (RocksDBException | RuntimeException e) {
            return Optional.of(e);
        }
    }

    private void sound() {
        reported = (long) database.property("rocksdb.background-errors");
        database.use(worksAgain);
        if (stopped) {
            stopped = false;
            objection = null;
            goneSince = 0;
            soundSince = nanos.getAsLong();
            LOG.info("The database takes writes again");
        }
        if (Duration.ofNanos(nanos.getAsLong() - soundSince).compareTo(SOUND_AFTER) > 0) {
            reopenings = 0;
        }
    }

    private void stopped(Exception e) {
        if (!stopped) {
            begun(e);
        }
        boolean isFull = e instanceof RocksDBException rocks
                && rocks.getStatus() != null
                && rocks.getStatus().getSubCode() == Status.SubCode.NoSpace;
        if (!canWrite(isFull)) {
            goneSince = 0;
            return;
        }
        long now = nanos.getAsLong();
        goneSince = goneSince == 0 ? now : goneSince;
        if (!isFull || now - goneSince > BY_ITSELF.toNanos()) {
            reopen();
        }
    }

    private void begun(Exception e) {
        stopped = true;
        if (Duration.ofNanos(nanos.getAsLong() - soundSince).compareTo(SOUND_AFTER) > 0) {
            reopenings = 0;
        }
        double now = database.property("rocksdb.background-errors");
        if (!(now > reported)) {
            errors.incrementAndGet(); // RocksDB counts those of flushes and compactions alone, and not those of its
            // log.
        }
        String reason =
                "The database takes no writes: " + e.getMessage() + ". " + remedy(String.valueOf(e.getMessage()))
                        + " Reads go on. The node opens the database again when files can be written in "
                        + database.directory() + ".";
        objection = reason;
        LOG.error("{}", reason);
    }

    private static String remedy(String message) {
        if (message.contains("No space left") || message.contains("quota")) {
            return "Free space on its disk.";
        }
        if (message.contains("Too many open files")) {
            return "Raise the limit of open files (ulimit -n), or lower kvorum.storage.open-files.";
        }
        if (message.contains("not permitted") || message.contains("denied") || message.contains("Read-only")) {
            return "Let the node's user write there.";
        }
        return "Check the disk and the log of the system (dmesg).";
    }

    /** Whether the cause seems to be gone: a file can be written, synced and removed, and there is room again if that was short. */
    private boolean canWrite(boolean needsRoom) {
        Path tried = database.directory().resolve(TRIED);
        try {
            if (needsRoom && room() < 2 * database.memtableBytes()) {
                return false;
            }
            Files.deleteIfExists(tried);
            try (FileChannel channel = OwnerOnly.create(tried)) {
                ByteBuffer bytes = ByteBuffer.allocate(TRIED_BYTES);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            OwnerOnly.forceDirectory(database.directory());
            Files.delete(tried);
            return true;
        } catch (IOException e) {
            LOG.debug("A file can't be written beside the database", e);
            return false;
        }
    }

    private long room() throws IOException {
        return Files.getFileStore(database.directory()).getUsableSpace();
    }

    private void reopen() {
        if (reopenings >= REOPENINGS_MAX) {
            end.accept(objection + " It was opened again " + reopenings
                    + " times. Each time that failed, or it stopped again within a minute.");
            return;
        }
        double before = errors();
        LOG.warn("The database is opened again");
        try {
            if (!database.reopen(UNUSED_WITHIN)) {
                LOG.warn("The database is in use all the time; opening it again is tried later");
                return;
            }
            reopenings++;
        } catch (RocksDBException | RuntimeException e) {
            reopenings++;
            LOG.error("The database can't be opened again: {}", e.getMessage());
        }
        errors.set((long) before);
        reported = 0;
    }

    @Override
    public void close() {
        thread.close();
    }
}
