package dev.kvorum.node.storage;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.rocksdb.AbstractEventListener;
import org.rocksdb.WriteStallCondition;
import org.rocksdb.WriteStallInfo;

/** How long the database has taken no writes: its memtables were full, or its files too many. Any thread. */
final class WriteStops extends AbstractEventListener {
    private final LongSupplier nanoTime;
    private final Set<String> stopped = new HashSet<>(); // Column families: one of them stops the writes of all.
    private long begun; // Of the present stop, if there is one.
    private long nanos; // Of those that are over.

    WriteStops(LongSupplier nanoTime) {
        super(EnabledEventCallback.ON_STALL_CONDITIONS_CHANGED);
        this.nanoTime = nanoTime;
    }

    @Override
    public void onStallConditionsChanged(WriteStallInfo change) {
        become(change.getColumnFamilyName(), change.getCurrentCondition() == WriteStallCondition.STOPPED);
    }

    synchronized void become(String columnFamily, boolean isStopped) {
        boolean before = !stopped.isEmpty();
        var _ = isStopped ? stopped.add(columnFamily) : stopped.remove(columnFamily);
        boolean after = !stopped.isEmpty();
        if (!before && after) {
            begun = nanoTime.getAsLong();
        } else if (before && !after) {
            nanos += nanoTime.getAsLong() - begun;
        }
    }

    /** All stops since it was opened, the present one among them. */
    synchronized double seconds() {
        long present = stopped.isEmpty() ? 0 : nanoTime.getAsLong() - begun;
        return (double) (nanos + present) / TimeUnit.SECONDS.toNanos(1);
    }
}
