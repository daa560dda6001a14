package dev.kvorum.node.verification;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.topology.Member;
import java.time.Duration;
import java.util.UUID;

/**
 * What this member has lost. Either all: the life of this member of which its data directory knows nothing any more: its disk was lost, or what it held was set aside. A lost disk shows only where the
 * topology records another incarnation than the directory's. Without a record there is no telling it from a member that never was. Or the last plain writes before a power
 * cut: its promises were on the disk.
 *
 * @param incarnation of the directory
 * @param created when the directory was, in milliseconds since 1970
 * @param rebuilding when what it held was set aside, in the same; 0 if it never was
 * @param incomplete before when the last of what it holds may be missing, in the same; 0 if nothing is
 * @param aheadMax how far ahead of this node's clock anything may be that it has ever taken
 */
public record LostLife(UUID incarnation, long created, long rebuilding, long incomplete, Duration aheadMax) {
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

    /** What it has lost by that view. */
    public Loss loss(ClusterView view) {
        return new Loss(orNever(endedBy(view)), orNever(incomplete));
    }

    private static long orNever(long time) {
        return time == NONE ? Verifications.NEVER : time;
    }

    /** The latest time of a ballot that it has promised and forgotten, in milliseconds since 1970; 0 if it has forgotten none. */
    public long promisesForgottenUntil(ClusterView view) {
        return latestBefore(endedBy(view));
    }

    /** The latest time of a version that it has acknowledged and forgotten, in milliseconds since 1970; 0 if it has forgotten none. */
    public long writesForgottenUntil(ClusterView view) {
        return latestBefore(Math.max(endedBy(view), incomplete));
    }

    private long latestBefore(long end) {
        return end == NONE ? 0 : end + aheadMax.toMillis();
    }
}
