package dev.kvorum.node.repair;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.verification.Verifications;
import java.time.Duration;

/**
 * Says which partition this node looks at next.
 *
 * <p>The first owner of a partition verifies it once per interval. Where that does not come about, because the first owner is down or can't reach a
 * member, the second tries after one and a half intervals, and the others mend what they can from two on: so every two owners are compared that can reach
 * each other, and while all is well nobody does it twice.
 *
 * <p>One thread at a time.
 */
final class RepairSchedule {
    private final Verifications verifications;
    private final long intervalMillis;
    private final long startedAt;
    private final long[] tried;

    /** @param startedAt the milliseconds since 1970 at which this node has started */
    RepairSchedule(Verifications verifications, Duration interval, long startedAt) {
        this.verifications = verifications;
        this.intervalMillis = interval.toMillis();
        this.startedAt = startedAt;
        this.tried = new long[verifications.partitions()];
    }

    /** Takes note of a run that ends now, whatever came of it. */
    void tried(int partition, long now) {
        tried[partition] = now;
    }

    /** The partition that has waited the longest beyond its time; -1 if the time of none has come. */
    int next(ClusterView view, long now) {
        int next = -1;
        long longest = -1;
        for (int partition = 0; partition < tried.length; partition++) {
            long late = late(view, partition, now);
            if (late > longest) {
                longest = late;
                next = partition;
            }
        }
        return next;
    }

    private long late(ClusterView view, int partition, long now) {
        int rank = Ranks.now(view, partition, view.self());
        if (rank < 0 || rank >= view.fromDefault()) {
            return -1;
        }
        long due = lookedAt(partition, rank, now) + intervalMillis + rank * intervalMillis / 2;
        return now - due;
    }

    private long lookedAt(int partition, int rank, long now) {
        long verified = verifications.verified(partition);
        long then = Math.max(tried[partition], verified > now ? 0 : Math.max(0, verified)); // A clock was set back.
        return rank == 0 ? then : Math.max(then, startedAt); // The others have not had their time yet.
    }

    /** How many partitions this node may have to look at in an interval. */
    int owned(ClusterView view) {
        int owned = 0;
        for (int partition = 0; partition < tried.length; partition++) {
            int rank = Ranks.now(view, partition, view.self());
            if (rank >= 0 && rank < view.fromDefault()) {
                owned++;
            }
        }
        return owned;
    }
}
