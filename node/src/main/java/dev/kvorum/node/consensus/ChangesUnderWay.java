package dev.kvorum.node.consensus;

/**
 * Bounds the writes that are under way and what they hold: one that has begun goes on though its client has gone, and nobody else counts it then. Any thread.
 */
final class ChangesUnderWay {
    static final int CHANGES_MAX = 4096;
    static final long BYTES_MAX = 32L << 20;

    /** What one takes besides its value: its key, and what waits for its answers. */
    private static final long OWN_BYTES = 2048;

    private int changes; // Guarded by this,
    private long bytes; // and so is this.

    /**
     * One wants to begin. A single one always may.
     *
     * @param length of its value in bytes
     * @return false if there is no room; otherwise it must be {@linkplain #end ended}
     */
    synchronized boolean begin(int length) {
        long own = OWN_BYTES + length;
        if (changes > 0 && (changes == CHANGES_MAX || bytes + own > BYTES_MAX)) {
            return false;
        }
        changes++;
        bytes += own;
        return true;
    }

    synchronized void end(int length) {
        changes--;
        bytes -= OWN_BYTES + length;
    }

    synchronized int changes() {
        return changes;
    }
}
