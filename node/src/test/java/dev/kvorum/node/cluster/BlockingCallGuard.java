package dev.kvorum.node.cluster;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;

/** Every test runs with blocking calls on event loops and on the threads of deadlines forbidden, those of RocksDB among them. */
public final class BlockingCallGuard implements LauncherSessionListener {
    private static final String DATABASE = "org.rocksdb.RocksDB";
    private static final String ALLOCATOR = "io.netty.buffer.AdaptivePoolingAllocator";
    private static final String DEADLINES = "kvorum-deadlines";
    private static final String HANDLE = "Lorg/rocksdb/ColumnFamilyHandle;";

    private final Queue<BlockingOperationError> onDeadlines = new ConcurrentLinkedQueue<>();

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        BlockHound.builder()
                .loadIntegrations()
                .nonBlockingThreadPredicate(
                        present -> present.or(thread -> thread.getName().startsWith(DEADLINES)))
                .blockingMethodCallback(method -> {
                    BlockingOperationError error = new BlockingOperationError(method);
                    if (Thread.currentThread().getName().equals(DEADLINES)) {
                        onDeadlines.add(error);
                    }
                    throw error;
                })
                .allowBlockingCallsInside("dev.kvorum.node.boot.DeadlineThread", "rest")
                .markAsBlocking(DATABASE, "write", "(Lorg/rocksdb/WriteOptions;Lorg/rocksdb/WriteBatch;)V")
                .markAsBlocking(DATABASE, "get", "(" + HANDLE + "Lorg/rocksdb/ReadOptions;[B)[B")
                .markAsBlocking(DATABASE, "flushWal", "(Z)V")
                // Netty's allocator holds its locks for some instructions; its own list of exceptions lacks the growing
                // under contention.
                .allowBlockingCallsInside(ALLOCATOR, "allocate")
                .allowBlockingCallsInside(ALLOCATOR + "$MagazineGroup", "tryExpandMagazines")
                .allowBlockingCallsInside(ALLOCATOR + "$Magazine", "free")
                // Jackson makes what reads a type once, under a lock.
                .allowBlockingCallsInside("tools.jackson.databind.deser.DeserializerCache", "findValueDeserializer")
                .install();
    }

    /** What a deadline ends with is logged, so that the others go on: no test would fail by it. */
    @Override
    public void launcherSessionClosed(LauncherSession session) {
        BlockingOperationError first = onDeadlines.peek();
        if (first != null) {
            throw new IllegalStateException(
                    onDeadlines.size() + " blocking calls on a thread of deadlines, first:", first);
        }
    }
}
