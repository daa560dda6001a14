package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.storage.CellVisitor;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.StoreChecks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.Options;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.Status;
import reactor.core.publisher.Mono;

/** Checks of RocksDB's files, on a thread of their own: a file takes up to a second, and holds up nobody. */
final class RocksChecks implements StoreChecks, AutoCloseable {
    private static final int QUEUE_MAX = 2;

    private final RocksDatabase database;
    private final RocksPartitions partitions;
    private final DiskFailure failing = new DiskFailure("The check of a file");
    private final BatchWorker<Runnable> worker = BatchWorker.inBackground(
            "kvorum-store-check", QUEUE_MAX, 1, (List<Runnable> tasks) -> tasks.forEach(Runnable::run));

    /** @param partitions checks cells */
    RocksChecks(RocksDatabase database, RocksPartitions partitions) {
        this.database = database;
        this.partitions = partitions;
    }

    @Override
    public Mono<Checked> cells(KeyRange range, ScanLimit limit, CellVisitor intact) {
        return partitions.check(range, limit, intact);
    }

    @Override
    public Mono<List<StoredFile>> files() {
        return onThread(() -> database.ask(() -> database.db().getLiveFilesMetaData().stream()
                .map(RocksChecks::storedFile)
                .sorted(Comparator.comparingLong(StoredFile::number))
                .toList()));
    }

    private static StoredFile storedFile(LiveFileMetaData live) {
        String name = live.fileName().substring(live.fileName().lastIndexOf('/') + 1);
        return new StoredFile(Long.parseLong(name.substring(0, name.indexOf('.'))), name, live.size());
    }

    @Override
    public Mono<Boolean> isIntact(StoredFile file) {
        return onThread(() -> check(file));
    }

    /** Not in a use of the database: a file that is removed meanwhile can be read to its end. */
    private boolean check(StoredFile file) throws RocksDBException {
        Path path = database.directory().resolve(file.name());
        try {
            verifyOnDisk(path);
        } catch (RocksDBException e) {
            if (Files.notExists(path)) {
                return true;
            }
            failing.saw(named(file, e));
            if (DiskFailure.isDamage(e)) {
                return false;
            }
            throw e;
        }
        failing.sawNone();
        return true;
    }

    /** Directly from the disk: what the system has in memory is not what is to be checked, and clients need that memory for what they read. */
    static void verifyOnDisk(Path file) throws RocksDBException {
        try {
            verify(file, true);
        } catch (RocksDBException e) {
            if (DiskFailure.isDamage(e) || Files.notExists(file)) {
                throw e;
            }
            verify(file, false); // As on a file system that always reads through memory.
        }
    }

    /** Reads a file block by block. */
    static void verify(Path file, boolean direct) throws RocksDBException {
        try (Options options = new Options().setUseDirectReads(direct);
                SstFileReader reader = new SstFileReader(options)) {
            reader.open(file.toString());
            reader.verifyChecksum();
        }
    }

    /** Those who look after the database find the file by its name. */
    private static RocksDBException named(StoredFile file, RocksDBException e) {
        String message = String.valueOf(e.getMessage());
        Status status = e.getStatus();
        return message.contains(file.name()) || status == null
                ? e
                : new RocksDBException(file.name() + ": " + message, status);
    }

    DiskFailure failure() {
        return failing;
    }

    private <T> Mono<T> onThread(Callable<@Nullable T> work) {
        return Answering.by(worker::offer, work);
    }

    /** Finishes what was accepted. Blocks. */
    @Override
    public void close() {
        worker.close();
    }
}
