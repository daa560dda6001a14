package dev.kvorum.load.generate;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * What is asked: which operation, of which key, with which quorum. One thread only.
 *
 * @param weights  how often each operation is asked for, in proportion
 * @param keys     which key comes next
 * @param ack      replicas that must answer; 0 leaves it to the node's default
 * @param from     replicas that are asked; 0 leaves it to the node's default
 * @param values  how long the value of each key is
 * @param linearizable whether operations are that; then {@code ack} and {@code from} are not said
 */
public record Traffic(
        List<Weight> weights,
        KeyChoice keys,
        int ack,
        int from,
        ValueSizes values,
        SplittableRandom random,
        boolean linearizable) {
    public Traffic(
            List<Weight> weights, KeyChoice keys, int ack, int from, ValueSizes values, SplittableRandom random) {
        this(weights, keys, ack, from, values, random, false);
    }

    /** @param share how often, in proportion to the other operations' shares; above 0 */
    public record Weight(Operation operation, int share) {}

    public Traffic {
        weights = List.copyOf(weights);
    }

    /** PUT of every key in turn. */
    public static Traffic fill(long keys, int from, ValueSizes values) {
        return new Traffic(
                List.of(new Weight(Operation.PUT, 1)),
                KeyChoice.inTurn(keys),
                from,
                from,
                values,
                new SplittableRandom(7));
    }

    /** Whether a key may be gone because another request has deleted it. */
    boolean deletes() {
        return weights.stream().anyMatch(weight -> weight.operation() == Operation.DELETE);
    }

    Operation nextOperation() {
        if (weights.size() == 1) {
            return weights.getFirst().operation();
        }
        int total = weights.stream().mapToInt(Weight::share).sum();
        int at = random.nextInt(total);
        for (Weight weight : weights) {
            at -= weight.share();
            if (at < 0) {
                return weight.operation();
            }
        }
        return weights.getLast().operation();
    }

    /** How long keys are on average, if there are so many. */
    public static double keyBytes(long keys) {
        return LongStream.range(0, keys)
                .mapToInt(key -> name(key).length())
                .average()
                .orElse(0);
    }

    private static String name(long key) {
        return "key-" + key;
    }

    String path(long key) {
        String path = "/v0/entity?id=" + name(key);
        if (linearizable) {
            return path + "&consistency=linearizable";
        }
        return from == 0 ? path : path + "&ack=" + ack + "&from=" + from;
    }
}
