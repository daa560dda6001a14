package dev.kvorum.node.verification;

import java.util.UUID;

/**
 * How far a member's data directory has come. Both numbers only grow, from one life of the member to the next. Where others remember more, the directory was put back
 * from an older copy. Acknowledged writes and promises are missing in it.
 *
 * @param incarnation of the directory
 * @param start the number of the member's last start on it
 * @param written how many changes of its database are on the disk at least
 */
public record Progress(UUID incarnation, long start, long written) {
    /** What is remembered of a directory that was never heard of: less than any has. */
    public static Progress none(UUID incarnation) {
        return new Progress(incarnation, 0, 0);
    }

    /** What is remembered of a directory in whose place the member has had another one since: more than any has. */
    public static Progress replaced(UUID incarnation) {
        return new Progress(incarnation, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** Whether it tells of a later start, or of more changes, than these. */
    public boolean isFurtherThan(long otherStart, long otherWritten) {
        return start > otherStart || written > otherWritten;
    }

    /** The furthest that is known by this one and another of the same directory. */
    public Progress orFurther(Progress other) {
        return new Progress(incarnation, Math.max(start, other.start), Math.max(written, other.written));
    }
}
