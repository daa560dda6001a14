package dev.kvorum.load.figure;

import java.util.List;
import java.util.Optional;

/** Whether something grew while the load lasted: its median in the last fifth of the samples against that in the second fifth. */
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
        return early == 0 ? Optional.empty() : Optional.of(100 * (late - early) / early);
    }
}
