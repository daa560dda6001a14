package dev.kvorum.node.repair;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.storage.DamageListener;
import dev.kvorum.node.verification.Verifications;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Has a partition with a damaged cell rebuilt from the other owners. What the cell was nobody here can say: it may be the newest that anybody has acknowledged. So the partition
 * counts as one that lacks something, and is given all that the others hold:
 *
 * <pre>
 * first    the directory remembers that the partition lacks something: its reads and votes are refused from now on
 * then     the damaged cell is removed
 * then     the partition is pulled from the other owners, as that of a lost disk is
 * </pre>
 *
 * Killed between two steps, the next life goes on behind the last that was done. A store that has too much to do refuses a step. Then both steps are
 * tried again after {@value #PAUSE_MILLIS_MIN} ms, and after twice as long each time, up to {@value #PAUSE_MILLIS_MAX} ms. The partition is pulled at once, and once more when the cell is gone. Where this node has the only copy nothing is done: each read of the key fails.
 *
 * <p>Any thread.
 */
public final class DamagedPartitions implements DamageListener {
    static final int PAUSE_MILLIS_MIN = 100;
    static final int PAUSE_MILLIS_MAX = 10_000;
    static final int RETRIES_MAX = 64; // At a time, one for each partition: each holds the bytes of its cell.
    private static final Logger LOG = LoggerFactory.getLogger(DamagedPartitions.class);

    private final Membership membership;
    private final Verifications verifications;
    private final LongSupplier millis;
    private final Repair repair;
    private final Deadlines deadlines;
    private final BitSet known = new BitSet(); // What was said in the log.
    private final BitSet refused = new BitSet(); // The same.
    private final BitSet retrying = new BitSet();

    /** @param millis milliseconds since 1970 */
    public DamagedPartitions(
            Membership membership,
            Verifications verifications,
            LongSupplier millis,
            Repair repair,
            Deadlines deadlines) {
        this.membership = membership;
        this.verifications = verifications;
        this.millis = millis;
        this.repair = repair;
        this.deadlines = deadlines;
    }

    @Override
    public boolean damaged(int partition, Key key, Mono<Boolean> removal) {
        boolean alone = !hasOthers();
        say(partition, alone);
        if (alone) {
            return false;
        }
        Mono<Boolean> removed = removed(partition, removal);
        var _ = removed.subscribe(done -> rebuild(), e -> refused(partition, removed, e));
        return true;
    }

    @Override
    public boolean hasOthers() {
        return membership.view().fromDefault() > 1;
    }

    /** Each time it is tried, the loss is noted first: the partition may have been regained since, without what this takes away. */
    private Mono<Boolean> removed(int partition, Mono<Boolean> removal) {
        return Mono.defer(
                () -> verifications.damaged(partition, millis.getAsLong()).then(removal));
    }

    private void rebuild() {
        repair.lookForLost(membership.view());
    }

    /** The partition is not served from now on, so it is rebuilt as far as that goes, also if the cell stays. */
    private void refused(int partition, Mono<Boolean> removed, Throwable e) {
        if (sayRefused(partition)) {
            LOG.warn(
                    "A damaged cell of partition {} could not be removed; that is tried again, and no more is logged of it",
                    partition,
                    e);
        }
        rebuild();
        if (beginRetrying(partition)) {
            Mono<Boolean> retried = removed.retryWhen(Retry.from(failures -> failures.concatMap(
                    failure -> pause(failure.totalRetries() + 1).thenReturn(true))));
            var _ = pause(0).then(retried)
                    .doFinally(end -> endRetrying(partition))
                    .subscribe(
                            done -> rebuild(),
                            last -> LOG.error("A damaged cell of partition {} stays", partition, last));
        }
    }

    private Mono<Void> pause(long retries) {
        long millis = Math.min((long) PAUSE_MILLIS_MIN << Math.min(retries, Byte.SIZE), PAUSE_MILLIS_MAX);
        return deadlines.after(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private boolean sayRefused(int partition) {
        synchronized (known) {
            boolean first = !refused.get(partition);
            refused.set(partition);
            return first;
        }
    }

    /** Others are met again by the walks of the rebuild. */
    private boolean beginRetrying(int partition) {
        synchronized (known) {
            boolean begins = !retrying.get(partition) && retrying.cardinality() < RETRIES_MAX;
            if (begins) {
                retrying.set(partition);
            }
            return begins;
        }
    }

    private void endRetrying(int partition) {
        synchronized (known) {
            retrying.clear(partition);
        }
    }

    private void say(int partition, boolean alone) {
        synchronized (known) {
            if (known.get(partition)) {
                return;
            }
            known.set(partition);
        }
        if (alone) {
            LOG.error(
                    "A stored cell of partition {} is damaged, and this node has the only copy: reads of its key fail. Write the key again from another source",
                    partition);
        } else {
            LOG.warn(
                    "A stored cell of partition {} is damaged: memory or the disk has changed its bytes. The partition is rebuilt from the other members,"
                            + " and is not read here meanwhile. If this happens again, replace the memory or the disk",
                    partition);
        }
    }
}
