package dev.kvorum.node.verification;

/**
 * Up to which times a member has lost what it held, in milliseconds since 1970; {@link Verifications#NEVER} if it has not.
 *
 * @param all before when all is lost, promises as well
 * @param some before when something may be missing that has to be regained: all, or the last plain writes before a power cut
 */
public record Loss(long all, long some) {
    /** Nothing is lost. */
    public static final Loss NONE = new Loss(Verifications.NEVER, Verifications.NEVER);

    public Loss {
        some = Math.max(all, some);
    }

    /** Whether anything is. */
    public boolean isAny() {
        return some != Verifications.NEVER;
    }
}
