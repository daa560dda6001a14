package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.config.StorageSettings.Durability;
import dev.kvorum.node.storage.DataDirectoryException;
import dev.kvorum.node.storage.directory.DataDirectory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One life of the real store, in a process of its own: it opens the store, reads everything once, and then has callers do as they like until it is killed, or has done its share. What it does is
 * told line by line.
 */
final class StoreLife {
    static final int PARTITIONS = 4;
    private static final int CALLERS = 8;

    /** The event loop that a caller is; null for one that blocks. */
    static final ThreadLocal<@Nullable Executor> LOOP = new ThreadLocal<>();

    private StoreLife() {}

    /**
     * What the parent asks for.
     *
     * @param number of this life, from 1 on: no two of a directory have the same
     * @param fresh sets aside what is there
     * @param remembered how many changes other members remember
     * @param share operations of each caller, after which the store is closed in order
     */
    record Order(
            Path directory, Durability durability, long seed, int number, boolean fresh, long remembered, int share) {
        List<String> words() {
            return List.of(
                    directory.toString(),
                    durability.name(),
                    Long.toString(seed),
                    Integer.toString(number),
                    Boolean.toString(fresh),
                    Long.toString(remembered),
                    Integer.toString(share));
        }

        static Order of(String[] words) {
            return new Order(
                    Path.of(words[0]),
                    Durability.valueOf(words[1]),
                    Long.parseLong(words[2]),
                    Integer.parseInt(words[3]),
                    Boolean.parseBoolean(words[4]),
                    Long.parseLong(words[5]),
                    Integer.parseInt(words[6]));
        }
    }

    public static void main(String[] words) throws InterruptedException {
        Order order = Order.of(words);
        LifeRecord record = new LifeRecord();
        Opened opened;
        try {
            opened = open(order, record);
        } catch (DataDirectoryException | IllegalStateException e) { // A node ends by either.
            record.tell("refused " + LifeRecord.inWords(e));
            return;
        }
        AtomicLong newest = new AtomicLong(Math.max(1, opened.newest()));
        opened.store().keepNewest(newest::get);
        new LifeCallers(order, opened.store(), opened.database(), newest, record).carryOut(CALLERS);
        try {
            opened.store().close();
            record.tell("closed");
        } catch (IllegalStateException e) { // Of a database that had stopped: what it has taken is as after a kill.
            record.tell("unclosed " + LifeRecord.inWords(e));
        }
    }

    private record Opened(RocksStore store, RocksDatabase database, long newest) {}

    private static Opened open(Order order, LifeRecord record) {
        DataDirectory directory = DataDirectory.claim(order.directory(), "demo", "n1", PARTITIONS);
        record.tell("claimed");
        if (order.fresh()) {
            directory = directory.setAside(System.currentTimeMillis(), "demo", "n1", PARTITIONS);
            record.tell("aside");
        }
        boolean wasCutOff = directory.wasCutOff();
        if (wasCutOff && !order.fresh()) { // As a node does before it notes that it runs.
            directory = directory.becomeIncomplete(System.currentTimeMillis());
        }
        SplittableRandom random = new SplittableRandom(order.seed() * 31 + order.number());
        Duration interval = Duration.ofMillis(random.nextBoolean() ? 20 : 400);
        StorageSettings settings = SmallStore.settings(order.durability(), interval, 4096);
        SyncedFiles synced = new SyncedFiles((file, bytes) -> record.tell("sync " + file + " " + bytes));
        RocksDatabase database = RocksDatabase.open(
                directory.database(), directory.synced(), !directory.hasHadDatabase(), settings, List.of(synced));
        RocksStore.requireAll(database, directory, order.remembered());
        RocksStore store =
                new RocksStore(database, settings, SmallStore.hints(), 64 << 20, LOOP::get, new SimpleMeterRegistry());
        store.lookAfter(
                directory,
                new RocksStore.Host(LOOP::get, reason -> record.tell("ends " + reason), new SimpleMeterRegistry()));
        directory.noteRunning(order.durability());
        long newest = store.newestOfFormerLife();
        record.tell(
                "open " + store.changesOnDisk() + " " + newest + " " + wasCutOff + " " + (directory.incomplete() > 0));
        return new Opened(store, database, newest);
    }
}
