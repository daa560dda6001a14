package dev.kvorum.node.cell;

/**
 * How long what was read has been of late: a moving average, in bytes. What the next one will be is not known before it is read,
 * but stores are mostly read in runs of the same kind.
 *
 * <p>Any thread may call it. Two that note a length at once may lose one of them: it is an estimate, and cheap.
 */
public final class RecentLength {
    private static final int WEIGHT_SHIFT =
            3; // The latest counts an eighth: one long answer among short ones is soon forgotten.

    private int average;

    public void note(int bytes) {
        int old = average;
        int moved = old + ((bytes - old) >> WEIGHT_SHIFT);
        if (moved != old) { // Equal lengths leave the field alone, and with it the caches of other processors.
            average = moved;
        }
    }

    /** From 0 to the longest noted. */
    public int bytes() {
        return average;
    }
}
