package dev.kvorum.node.storage.rocks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ObjLongConsumer;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.FileOperationInfo;
import org.rocksdb.RocksDB;
import org.rocksdb.Status;

/**
 * Hears from the database which bytes of its files a sync has brought to the disk: those whose write had ended before the sync began. It is told by the thread that has synced, before anybody learns
 * that the sync is over. So what it tells depends on no account of the store's own.
 */
final class SyncedFiles extends AbstractEventListener {
    static {
        RocksDB.loadLibrary();
    }

    /** By how much two clocks may differ that time an operation: the system's, by which it begins, and the steady one, by which it takes so long. */
    private static final long CLOCKS_NANOS = 5_000;

    private final ObjLongConsumer<String> synced;
    private final Map<String, List<Written>> files = new HashMap<>();

    /** Up to where a file was written, and when that had ended. */
    private record Written(long nanos, long end) {}

    /** @param synced gets the name of a file and how many of its first bytes are on the disk; one call at a time */
    SyncedFiles(ObjLongConsumer<String> synced) {
        super(
                EnabledEventCallback.ON_FILE_WRITE_FINISH,
                EnabledEventCallback.ON_FILE_SYNC_FINISH,
                EnabledEventCallback.SHOULD_BE_NOTIFIED_ON_FILE_IO);
        this.synced = synced;
    }

    @Override
    public boolean shouldBeNotifiedOnFileIO() {
        return true;
    }

    @Override
    public synchronized void onFileWriteFinish(FileOperationInfo write) {
        List<Written> writes = files.computeIfAbsent(write.getPath(), path -> new ArrayList<>());
        // Files only grow, and one thread at a time writes to one. The database does not say where.
        long end = (writes.isEmpty() ? 0 : writes.getLast().end()) + write.getLength();
        writes.add(new Written(write.getStartTimestamp() + write.getDuration(), end));
    }

    @Override
    public synchronized void onFileSyncFinish(FileOperationInfo sync) {
        List<Written> writes = files.getOrDefault(sync.getPath(), List.of());
        if (sync.getStatus().getCode() != Status.Code.Ok || writes.isEmpty()) {
            return;
        }
        long begun = sync.getStartTimestamp() + CLOCKS_NANOS;
        writes.stream()
                .filter(write -> write.nanos() <= begun)
                .max(Comparator.comparingLong(Written::end))
                .ifPresent(last -> {
                    writes.removeIf(write -> write.end() < last.end());
                    synced.accept(
                            Objects.requireNonNull(Path.of(sync.getPath()).getFileName())
                                    .toString(),
                            last.end());
                });
    }
}
