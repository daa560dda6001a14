package dev.kvorum.node.verification;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.topology.Member;
import java.time.Duration;
import java.util.UUID;

/**
 * The life of this member of which its data directory knows nothing any more: its disk was lost, or what it held was set aside. A lost disk shows only where the
 * topology records another incarnation than the directory's. Without a record there is no telling it from a member that never was.
 *
 * @param incarnation of the directory
 * @param created when the directory was, in milliseconds since 1970
 * @param rebuilding when what it held was set aside, in the same; 0 if it never was
 * @param aheadMax how far ahead of this node's clock anything may be that it has ever taken
 */
public record LostLife(UUID incarnation, long created, long rebuilding, Duration aheadMax) {
    private static final long NONE = 0;

    /** When it had ended at the latest, in milliseconds since 1970; 0 if there was none. */
    private long endedBy(ClusterView view) {
        boolean isAnother = view.topology()
                .member(view.self())
                .flatMap(Member::knownIncarnation)
                .filter(known -> !known.equals(incarnation))
                .isPresent();
        return isAnother ? Math.max(created, rebuilding) : rebuilding;
    }

    /** When it had ended, in milliseconds since 1970: what it held then has to be regained; {@link Verifications#NEVER} if nothing was lost. */
    public long lostBefore(ClusterView view) {
        long ended = endedBy(view);
        return ended == NONE ? Verifications.NEVER : ended;
    }

    /** The latest time of a version that it has acknowledged, or of a ballot that it has promised, in milliseconds since 1970; 0 if there was no such life. */
    public long forgottenUntil(ClusterView view) {
        long ended = endedBy(view);
        return ended == NONE ? 0 : ended + aheadMax.toMillis();
    }
}
