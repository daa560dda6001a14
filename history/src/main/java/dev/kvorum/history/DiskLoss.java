package dev.kvorum.history;

/**
 * A disk lost what it had taken: all of it, or its end. It may lose the same again.
 *
 * @param node whose disk
 * @param since it lost nothing that it had taken before; 0 where it was wiped
 * @param at when that happened
 * @param regained when the disk had again all that other disks had of it; {@link #NEVER} if nobody knows of that
 */
public record DiskLoss(String node, long since, long at, long regained) {
    /** Later than all times of a history. */
    public static final long NEVER = Long.MAX_VALUE;

    public DiskLoss {
        if (at < since || regained < at) {
            throw new IllegalArgumentException(
                    "lost at " + at + " what was taken since " + since + ", and regained that at " + regained);
        }
    }

    /** A loss of which nobody knows whether the disk regained it. */
    public DiskLoss(String node, long since, long at) {
        this(node, since, at, NEVER);
    }

    /** The same, as if nobody knew whether the disk regained it. */
    public DiskLoss withoutEnd() {
        return new DiskLoss(node, since, at);
    }

    /** Whether the disk lacks it at that time. */
    public boolean isOpenAt(long time) {
        return at <= time && time < regained;
    }

    /** Whether it may have had that write when that was answered, and lost it. */
    public boolean concerns(Operation operation) {
        return since <= operation.returned() && at >= operation.invoked();
    }

    /** Whether nothing is left. */
    public boolean isWhole() {
        return since == 0;
    }
}
