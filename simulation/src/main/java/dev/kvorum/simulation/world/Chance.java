package dev.kvorum.simulation.world;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A source of chance that depends on the seed alone. What must not disturb each other's chances, as the faults and the requests, takes a branch
 * of its own.
 */
public final class Chance {
    private final SplittableRandom random;

    private Chance(SplittableRandom random) {
        this.random = random;
    }

    public static Chance of(long seed) {
        return new Chance(new SplittableRandom(seed));
    }

    /** An independent source. */
    public Chance branch() {
        return new Chance(random.split());
    }

    /** Whether something happens of that probability. */
    public boolean is(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    /** From 0 to below 1. */
    public double fraction() {
        return random.nextDouble();
    }

    /** Any number. */
    public long number() {
        return random.nextLong();
    }

    /** From 0 to below that. */
    public int below(int bound) {
        return random.nextInt(bound);
    }

    /** The same source, for code that asks a generator. */
    public RandomGenerator generator() {
        return random;
    }

    /** Between these, both possible. */
    public int from(int min, int max) {
        return random.nextInt(min, max + 1);
    }

    /** Between these, both possible. */
    public long from(long min, long max) {
        return random.nextLong(min, max + 1);
    }

    /** Between these, and as likely within each power of two. */
    public long spread(long min, long max) {
        double power = Math.log((double) max / min) * random.nextDouble();
        return Math.clamp((long) (min * Math.exp(power)), min, max);
    }

    /** As times between independent events are, with that mean. */
    public long exponential(long mean) {
        return (long) (-Math.log(1 - random.nextDouble()) * mean);
    }

    public <T> T oneOf(List<T> options) {
        return options.get(random.nextInt(options.size()));
    }

    /** So many of them, in any order. */
    public <T> List<T> some(int count, List<T> options) {
        return List.copyOf(shuffled(options).subList(0, Math.min(count, options.size())));
    }

    /** The same in another order. */
    public <T> List<T> shuffled(List<T> options) {
        List<T> shuffled = new ArrayList<>(options);
        for (int i = shuffled.size() - 1; i > 0; i--) {
            Collections.swap(shuffled, i, random.nextInt(i + 1));
        }
        return shuffled;
    }
}
