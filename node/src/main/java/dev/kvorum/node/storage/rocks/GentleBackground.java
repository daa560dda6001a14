package dev.kvorum.node.storage.rocks;

import org.rocksdb.AbstractEventListener;
import org.rocksdb.CompactionJobInfo;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.RocksDB;

/**
 * Lets requests go before flushes and compactions: the threads that do those call this at the beginning of each. They get a smaller part of
 * processors that are busy, 0.4 of what one thread of requests gets (nice 4), and not the least there is, a seventieth of that: where
 * reads keep the processors busy, writes would wait for seconds until a memtable is in a file.
 *
 * <p>Works on Linux, where the database's classes are on the class path and not in a jar of jars, in a JVM with {@code -XX:ThreadPriorityPolicy=1}. Else nothing happens.
 */
final class GentleBackground extends AbstractEventListener {
    GentleBackground() {
        super(EnabledEventCallback.ON_FLUSH_BEGIN, EnabledEventCallback.ON_COMPACTION_BEGIN);
    }

    @Override
    public void onFlushBegin(RocksDB db, FlushJobInfo flush) {
        giveWay();
    }

    @Override
    public void onCompactionBegin(RocksDB db, CompactionJobInfo compaction) {
        giveWay();
    }

    @SuppressWarnings("ThreadPriorityCheck") // Nothing relies on it: it is how Java says nice.
    private static void giveWay() {
        Thread.currentThread().setPriority(Thread.MIN_PRIORITY);
    }
}
