package dev.kvorum.load.chaos.fault;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * How wrong a clock is.
 *
 * @param ahead   at once; negative for behind
 * @param perSecond what a clock that drifts gains in each second; negative if it loses
 */
record ClockError(Duration ahead, double perSecond) {
    private static final double MILLIS_PER_SECOND = 1000;
    private static final double DRIFT_MIN = 0.01;
    private static final double DRIFT_MAX = 4;

    /** From the least to the most of an error, in milliseconds. */
    private record Range(double min, double max) {
        /** As likely within each power of two. */
        double draw(SplittableRandom random) {
            return min * Math.pow(max / min, random.nextDouble());
        }
    }

    /**
     * Draws one: as often within what is tolerated, as beyond it by seconds, and by up to two hours.
     *
     * @param chance the same number gives the same error
     * @param tolerated {@code kvorum.clock.ahead-max}
     */
    static ClockError of(int chance, Duration tolerated) {
        SplittableRandom random = new SplittableRandom(chance);
        double limit = tolerated.toMillis();
        List<Range> ranges = List.of(
                new Range(limit / 20, limit * 0.9), new Range(limit * 1.1, limit * 10), new Range(60_000, 7_200_000));
        int sign = random.nextBoolean() ? 1 : -1;
        double millis = ranges.get(random.nextInt(ranges.size())).draw(random);
        double drift = new Range(DRIFT_MIN, DRIFT_MAX).draw(random);
        return new ClockError(Duration.ofMillis((long) (sign * millis)), sign * drift);
    }

    /** Of a clock that drifts, after that time. */
    Duration after(Duration elapsed) {
        return Duration.ofMillis((long) (perSecond * elapsed.toMillis()));
    }

    /** As a part of a sentence. */
    String inWords() {
        return String.format(
                Locale.ROOT,
                "%.1f s %s",
                ahead.abs().toMillis() / MILLIS_PER_SECOND,
                ahead.isNegative() ? "behind" : "ahead");
    }

    /** The same of a clock that drifts. */
    String driftInWords() {
        return String.format(
                Locale.ROOT, "%s %.2f s in each second", perSecond < 0 ? "loses" : "gains", Math.abs(perSecond));
    }
}
