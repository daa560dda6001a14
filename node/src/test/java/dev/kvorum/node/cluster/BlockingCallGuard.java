package dev.kvorum.node.cluster;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import reactor.blockhound.BlockHound;

/** Every test runs with blocking calls on event loops and on the threads of deadlines forbidden, those of RocksDB among them. */
public final class BlockingCallGuard implements LauncherSessionListener {
    private static final String DATABASE = "org.rocksdb.RocksDB";
    private static final String ALLOCATOR = "io.netty.buffer.AdaptivePoolingAllocator";
    private static final String HANDLE = "Lorg/rocksdb/ColumnFamilyHandle;";

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        BlockHound.builder()
                .loadIntegrations()
                .nonBlockingThreadPredicate(
                        present -> present.or(thread -> thread.getName().equals("kvorum-deadlines")))
                .allowBlockingCallsInside("dev.kvorum.node.boot.DeadlineThread", "rest")
                .markAsBlocking(DATABASE, "write", "(Lorg/rocksdb/WriteOptions;Lorg/rocksdb/WriteBatch;)V")
                .markAsBlocking(DATABASE, "get", "(" + HANDLE + "Lorg/rocksdb/ReadOptions;[B)[B")
                .markAsBlocking(DATABASE, "flushWal", "(Z)V")
                // Netty's allocator holds its locks for some instructions; its own list of exceptions lacks the growing
                // under contention.
                .allowBlockingCallsInside(ALLOCATOR, "allocate")
                .allowBlockingCallsInside(ALLOCATOR + "$MagazineGroup", "tryExpandMagazines")
                .allowBlockingCallsInside(ALLOCATOR + "$Magazine", "free")
                .install();
    }
}
