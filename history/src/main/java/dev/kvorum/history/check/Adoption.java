package dev.kvorum.history.check;

import java.time.Duration;

/**
 * Which versions a node adopts that it reads: all that are not too far ahead of its clock. One may be, though clocks agree: a node that starts again begins above what its former
 * life may have issued, which puts it ahead of its own clock for a while, and further ahead the more often it is started meanwhile.
 *
 * @param originMillis what a clock showed when the history began, in milliseconds since 1970
 * @param aheadMax how far ahead of that clock a version may be that is adopted by all
 */
public record Adoption(long originMillis, Duration aheadMax) {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Where clocks agree, as far as is known: all that is read is adopted. */
    static final Adoption ANY = new Adoption(0, Duration.ofMillis(Long.MAX_VALUE));

    /** Where clocks may be anything: nothing is adopted for certain. */
    static final Adoption NONE = new Adoption(0, Duration.ofMillis(Long.MIN_VALUE));

    /**
     * Whether all adopt it.
     *
     * @param millis of the version, since 1970
     * @param nanos when it is met, since the history began
     */
    boolean adopts(long millis, long nanos) {
        return millis - originMillis - nanos / NANOS_PER_MILLI <= aheadMax.toMillis();
    }
}
