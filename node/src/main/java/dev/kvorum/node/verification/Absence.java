package dev.kvorum.node.verification;

import java.time.Duration;
import java.util.Collection;

/**
 * What becomes of the data of a node that was away. One that was away for longer than the grace period has missed deletions that others may have dropped
 * since: what it holds could bring back what was deleted. So it rejoins as an empty one.
 *
 * <p>But only if another member has lived on meanwhile. A cluster that was switched off for weeks has dropped nothing, and must not empty itself when it is
 * switched on; nor must a node whose clock is wrong.
 */
public enum Absence {
    /** It was not away, or not for long: it goes on with what it holds. */
    SHORT,
    /** It was away too long, and another has lived on: what it holds must not be used any more. */
    OUTLIVED,
    /** It was away too long, but so were all others that answered; it goes on with what it holds. */
    SHARED,
    /** It was away too long, and nobody answered. It goes on with what it holds: else no cluster could be switched on again. */
    ALONE;

    /**
     * What it was. Others need not be asked where it is {@link #SHORT} without them.
     *
     * @param own as it was noted last, by this node
     * @param witnesses those who answered, whose {@code last} is their present time
     */
    public static Absence of(MemberLife own, long now, Collection<MemberLife> witnesses, Duration grace) {
        if (!own.isOver(now, grace)) {
            return SHORT;
        }
        if (witnesses.isEmpty()) {
            return ALONE;
        }
        return witnesses.stream().anyMatch(other -> hasOutlived(other, own, grace)) ? OUTLIVED : SHARED;
    }

    /** By the other's clock: this node's may be the one that is wrong. */
    private static boolean hasOutlived(MemberLife other, MemberLife own, Duration grace) {
        return own.isOver(other.last(), grace) && other.since() <= own.last() + grace.toMillis();
    }
}
