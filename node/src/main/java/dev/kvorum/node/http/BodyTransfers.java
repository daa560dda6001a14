package dev.kvorum.node.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The transfers of a port that hold bytes of its budget while they wait for a client. It tells the share of an address, and which transfers make room when the
 * budget is short: those that are slower than a minimum rate. A body that arrives in one read, and an answer that the system takes at once, never get here.
 *
 * <p>Any thread. They end without its lock.
 */
final class BodyTransfers {
    private static final long BETWEEN_VAIN_SEARCHES_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final long bytesPerSecondMin;
    private final LongSupplier nanos;
    private final Set<BodyTransfer> open = new LinkedHashSet<>();
    private final Map<Object, Long> heldBy = new HashMap<>();
    private long searchFrom;
    private volatile boolean isEmpty = true;

    /** @param bytesPerSecondMin at least 1 */
    BodyTransfers(long bytesPerSecondMin, LongSupplier nanos) {
        this.bytesPerSecondMin = bytesPerSecondMin;
        this.nanos = nanos;
        this.searchFrom = nanos.getAsLong();
    }

    /** Bytes that the transfers of an address hold. */
    synchronized long heldBy(Object address) {
        return heldBy.getOrDefault(address, 0L);
    }

    /** A transfer begins, or goes on: it holds so many bytes more, and so many have moved. */
    synchronized void moved(BodyTransfer transfer, long heldMore, long bytes) {
        long now = nanos.getAsLong();
        if (open.add(transfer)) {
            transfer.begin(now);
            isEmpty = false;
        }
        transfer.hold(heldMore);
        transfer.move(bytes, bytesPerSecondMin, now);
        heldBy.merge(transfer.address(), heldMore, Long::sum);
    }

    /** The client has done its part, or the transfer has ended. Harmless if it was removed before. */
    synchronized void remove(BodyTransfer transfer) {
        if (open.remove(transfer)) {
            isEmpty = open.isEmpty();
            heldBy.computeIfPresent(
                    transfer.address(), (address, bytes) -> bytes > transfer.held() ? bytes - transfer.held() : null);
        }
    }

    /**
     * Ends slow transfers until so many bytes are free: first those of the address that holds most, and of these the one that has been slow for longest.
     *
     * @return false if none was slow
     */
    boolean endSlow(long bytes) {
        if (isEmpty) {
            return false;
        }
        List<BodyTransfer> slow = slow(bytes);
        slow.forEach(BodyTransfer::end);
        return !slow.isEmpty();
    }

    private synchronized List<BodyTransfer> slow(long bytes) {
        long now = nanos.getAsLong();
        if (now - searchFrom < 0) {
            return List.of();
        }
        List<BodyTransfer> candidates = new ArrayList<>();
        for (BodyTransfer transfer : open) {
            if (transfer.overdue(now) > 0) {
                candidates.add(transfer);
            }
        }
        if (candidates.isEmpty()) {
            searchFrom = now + BETWEEN_VAIN_SEARCHES_NANOS; // Else each refusal would look through all of them.
        }
        candidates.sort(Comparator.comparingLong((BodyTransfer transfer) -> heldBy(transfer.address()))
                .thenComparingLong(transfer -> transfer.overdue(now))
                .reversed());
        return enough(candidates, bytes);
    }

    private static List<BodyTransfer> enough(List<BodyTransfer> candidates, long bytes) {
        long free = 0;
        int chosen = 0;
        while (free < bytes && chosen < candidates.size()) {
            free += candidates.get(chosen++).held();
        }
        return candidates.subList(0, chosen);
    }
}
