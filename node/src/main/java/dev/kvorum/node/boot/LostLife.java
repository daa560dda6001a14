package dev.kvorum.node.boot;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.repair.Verifications;
import dev.kvorum.node.storage.DataDirectory;
import dev.kvorum.topology.Member;
import java.time.Duration;

/**
 * The life of this member of which its data directory knows nothing any more: its disk was lost, or what it held was set aside. A lost disk shows only where the
 * topology records another incarnation than the directory's. Without a record there is no telling it from a member that never was.
 *
 * @param aheadMax how far ahead of this node's clock anything may be that it has ever taken
 */
record LostLife(DataDirectory directory, Duration aheadMax) {
    private static final long NONE = 0;

    /** When it had ended at the latest, in milliseconds since 1970; 0 if there was none. */
    private long endedBy(ClusterView view) {
        boolean isAnother = view.topology()
                .member(view.self())
                .flatMap(Member::knownIncarnation)
                .filter(known -> !known.equals(directory.incarnation()))
                .isPresent();
        return isAnother ? Math.max(directory.created(), directory.rebuilding()) : directory.rebuilding();
    }

    /**
     * Partitions are rebuilt when they are verified up to that time, in milliseconds since 1970; {@link Verifications#NEVER} if nothing was lost. Not up to a
     * settling time before: what was written then scheduled comparisons have left out.
     */
    long lostBefore(ClusterView view) {
        long ended = endedBy(view);
        return ended == NONE ? Verifications.NEVER : ended;
    }

    /** The latest that a ballot can be of that was promised in it, in milliseconds since 1970; 0 if there was no such life. */
    long ballotFloor(ClusterView view) {
        long ended = endedBy(view);
        return ended == NONE ? 0 : ended + aheadMax.toMillis();
    }
}
