package dev.kvorum.load.generate;

import java.util.List;

/**
 * How long values are, in bytes: each key has a size of its own, always the same, so that what is read is as long as what was written. Where
 * keys are asked for evenly, sizes are asked for by their weights.
 *
 * @param weights at least one, of different sizes
 */
public record ValueSizes(List<Weight> weights) {
    private static final int KIB = 1024;

    /**
     * @param bytes  at least 1
     * @param weight how many keys have it, in proportion to the other weights; above 0
     */
    public record Weight(int bytes, int weight) {}

    public ValueSizes {
        weights = List.copyOf(weights);
    }

    /** The same for all keys. */
    public static ValueSizes of(int bytes) {
        return new ValueSizes(List.of(new Weight(bytes, 1)));
    }

    /** Of the value of that key. */
    public int bytes(long key) {
        long at = key % total();
        for (Weight weight : weights) {
            at -= weight.weight();
            if (at < 0) {
                return weight.bytes();
            }
        }
        return weights.getLast().bytes();
    }

    private int total() {
        int total = 0;
        for (Weight weight : weights) { // No stream: the generator comes here for each PUT.
            total += weight.weight();
        }
        return total;
    }

    /** Whether there is more than one, so that their latencies are kept apart. */
    public boolean areMixed() {
        return weights.size() > 1;
    }

    public int largest() {
        return weights.stream().mapToInt(Weight::bytes).max().orElseThrow();
    }

    /** Over all keys. */
    public double mean() {
        return weights.stream()
                        .mapToDouble(weight -> (double) weight.bytes() * weight.weight())
                        .sum()
                / total();
    }

    /** As a scenario and its expectations name it: 100B, 64KiB. */
    public static String name(int bytes) {
        if (bytes % (KIB * KIB) == 0) {
            return bytes / (KIB * KIB) + "MiB";
        }
        return bytes % KIB == 0 ? bytes / KIB + "KiB" : bytes + "B";
    }
}
