package dev.kvorum.node.repair;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.replica.Replica;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Brings replicas that a read has found behind the newest cell that it met, after the read was answered. At most {@value #CALLS_MAX} calls and 8
 * MiB are under way; what comes on top is let be, for the next read, a hint or anti-entropy to mend. Any thread; nothing waits.
 */
public final class ReadRepair {
    static final int CALLS_MAX = 64;
    static final long BYTES_MAX = 8 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(ReadRepair.class);

    private record Mend(String member, Key key) {}

    private final ReadRepairMetrics metrics;
    private final Set<Mend> underWay = ConcurrentHashMap.newKeySet();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    public ReadRepair(ReadRepairMetrics metrics) {
        this.metrics = metrics;
    }

    public ReadRepairMetrics metrics() {
        return metrics;
    }

    /**
     * Sends the cell to the replica, unless too much is under way, or a read before is just mending the same.
     *
     * @param epoch by which the read chose the replica
     */
    public void mend(Replica replica, Key key, Cell cell, long epoch) {
        Mend mend = new Mend(replica.member(), key);
        if (!underWay.add(mend)) {
            return;
        }
        int length = cell.bytes().length;
        if (!take(length)) {
            underWay.remove(mend);
            metrics.busy();
            return;
        }
        metrics.sent(1);
        var _ = Mono.defer(() -> replica.bring(key, cell, epoch))
                .doFinally(end -> {
                    giveBack(length);
                    underWay.remove(mend);
                })
                .subscribe(metrics::answered, ReadRepair::unexpected);
    }

    /** One that is alone may be as long as it likes. */
    private boolean take(int length) {
        int callsNow = calls.incrementAndGet();
        long bytesNow = bytes.addAndGet(length);
        if (callsNow <= CALLS_MAX && (bytesNow <= BYTES_MAX || bytesNow == length)) {
            return true;
        }
        giveBack(length);
        return false;
    }

    private void giveBack(int length) {
        calls.decrementAndGet();
        bytes.addAndGet(-length);
    }

    private static void unexpected(Throwable bug) {
        LOG.error("A replica ended a repair without a reply, which is a bug", bug);
    }
}
