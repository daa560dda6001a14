package dev.kvorum.load.figure;

import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Whether something grew: over a load by the median of the last fifth of the samples against that of the second fifth, or with a load by what it was before. */
public final class Growth {
    private static final int SAMPLES_MIN = 10;

    private Growth() {}

    /**
     * In percent; negative where it shrank.
     *
     * @param samples in the order in which they were taken; the first fifth is warm-up and does not count
     * @return empty for fewer than ten samples: too few to tell
     */
    public static Optional<Double> percent(List<Double> samples) {
        int fifth = samples.size() / 5;
        if (samples.size() < SAMPLES_MIN) {
            return Optional.empty();
        }
        double early = Figures.median(samples.subList(fifth, 2 * fifth));
        double late = Figures.median(samples.subList(samples.size() - fifth, samples.size()));
        return percent(early, late);
    }

    /**
     * By how much the most of what came later exceeds the median of what was normal, in percent.
     *
     * @return empty if there is nothing of either
     */
    public static Optional<Double> surgePercent(List<Double> normal, List<Double> later) {
        return normal.isEmpty() || later.isEmpty()
                ? Optional.empty()
                : percent(Figures.median(normal), Collections.max(later));
    }

    /** Empty if there was nothing. */
    public static Optional<Double> percent(double before, double after) {
        return before == 0 ? Optional.empty() : Optional.of(100 * (after - before) / before);
    }
}
