package dev.kvorum.node.coordinator;

/**
 * Asks all prompt replicas while processors are idle, so that the first of them may answer, and as many as must answer while they are busy, which costs
 * the least. In between it stays as it is: what it changes must not change it back.
 *
 * <p>{@link #sample} is called by one thread, ten times a second; {@link #breadth} by any.
 */
public final class AdaptiveFanOut implements FanOut {
    /** Share of the processors in use above which reads are hedged. */
    static final double BUSY = 0.75;

    /**
     * Share below which they ask all prompt ones again. Hedging itself saves two to three tenths of the load at {@code 2/3}, and with any majority less than half of it: what is left of the share above is not below this
     * one.
     */
    static final double IDLE = 0.4;

    /** Weight of a sample: a second of load counts, a moment of it does not. */
    private static final double SHARE = 0.2;

    private double average;
    private volatile boolean busy;

    @Override
    public Breadth breadth() {
        return busy ? Breadth.NEEDED : Breadth.PROMPT;
    }

    /**
     * Looks at the load.
     *
     * @param load the share of the processors in use, 0 to 1; below 0 or not a number where that is not known
     */
    public void sample(double load) {
        if (load >= 0) {
            average += SHARE * (Math.min(load, 1) - average);
        }
        if (average > BUSY) {
            busy = true;
        } else if (average < IDLE) {
            busy = false;
        }
    }
}
