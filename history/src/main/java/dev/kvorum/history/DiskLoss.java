package dev.kvorum.history;

/**
 * A disk lost what it had taken: all of it, or its end. It may lose the same again.
 *
 * @param node whose disk
 * @param since it lost nothing that it had taken before; 0 where it was wiped
 * @param at when that happened
 */
public record DiskLoss(String node, long since, long at) {
    public DiskLoss {
        if (at < since) {
            throw new IllegalArgumentException("lost at " + at + " what was taken since " + since);
        }
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
