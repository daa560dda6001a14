package dev.kvorum.node.repair;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.storage.DamageListener;
import dev.kvorum.node.verification.Verifications;
import java.util.BitSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

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
 * Killed between two steps, the next life goes on behind the last that was done. Where this node has the only copy nothing is done: each read of the key fails.
 *
 * <p>Any thread.
 */
public final class DamagedPartitions implements DamageListener {
    private static final Logger LOG = LoggerFactory.getLogger(DamagedPartitions.class);

    private final Membership membership;
    private final Verifications verifications;
    private final LongSupplier millis;
    private final Repair repair;
    private final BitSet known = new BitSet(); // What was said in the log.

    public DamagedPartitions(Membership membership, Verifications verifications, LongSupplier millis, Repair repair) {
        this.membership = membership;
        this.verifications = verifications;
        this.millis = millis;
        this.repair = repair;
    }

    @Override
    public boolean damaged(int partition, Key key, Mono<Boolean> removal) {
        ClusterView view = membership.view();
        boolean alone = view.fromDefault() < 2;
        say(partition, alone);
        if (alone) {
            return false;
        }
        var _ = verifications
                .damaged(partition, millis.getAsLong())
                .then(removal)
                .subscribe(
                        removed -> repair.lookForLost(view),
                        e -> LOG.warn(
                                "A damaged cell of partition {} could not be removed: it will be met again",
                                partition,
                                e));
        return true;
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
