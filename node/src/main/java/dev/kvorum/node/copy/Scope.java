package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Version;

/**
 * Which cells of a partition two members compare. Both apply the same scope, so that what one of them need not hold makes no difference.
 *
 * @param copiesAbove cells count that were written with more copies than that. Of two owners it is the greater rank, from 0: a cell with {@code
 *     c} copies is owed by the ranks below {@code c}, so these are the cells that both owe
 * @param before versions from that millisecond since 1970 on do not count: they may still be on their way
 * @param endedBefore what ended before that millisecond does not count: every member has seen it, and may have dropped it
 */
public record Scope(int partition, int copiesAbove, long before, long endedBefore) {
    /** Leaves out nothing but what was written with too few copies. */
    public static Scope all(int partition, int copiesAbove) {
        return new Scope(partition, copiesAbove, Long.MAX_VALUE, Long.MIN_VALUE);
    }

    public Scope above(int copies) {
        return new Scope(partition, copies, before, endedBefore);
    }

    public boolean counts(Cell cell) {
        return counts(cell.copies(), cell.version(), cell.endMillis());
    }

    public boolean counts(Listed listed) {
        return counts(listed.copies(), listed.version(), listed.endMillis());
    }

    private boolean counts(int copies, Version version, long endMillis) {
        return copies > copiesAbove && isSettled(version) && !hasEnded(endMillis);
    }

    /** Whether a member of that rank holds it though it need not. */
    boolean isStray(int rank, int copies, Version version, long endMillis) {
        return copies <= rank && isSettled(version) && !hasEnded(endMillis);
    }

    /** Whether it is old enough to have reached every replica by now. */
    public boolean isSettled(Version version) {
        return version.millis() < before;
    }

    /** Whether what ends then hides what is older, and need not any more. */
    public boolean hasEnded(long endMillis) {
        return endMillis < endedBefore;
    }
}
