package dev.kvorum.load.chaos.client;

import dev.kvorum.history.Request;
import dev.kvorum.history.Request.Kind;
import dev.kvorum.history.Request.Mode;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What clients ask for, in an order that the seed decides: few keys over and over and many rarely; reads, writes and deletions; mostly with
 * quorums that overlap, some with others. One thread only.
 */
public final class Workload {
    private static final int HOT_KEYS = 12;
    private static final int SPREAD_KEYS = 1500;
    private static final double HOT = 0.35;
    private static final double READS = 0.5;
    private static final double DELETES = 0.2; // Of what is not a read.
    private static final double LONG_VALUES = 0.25;
    private static final int LONG_VALUE_MAX = 8000;
    private static final double HUGE_VALUES = 0.02;
    private static final int HUGE_VALUE_MAX = 150_000; // Two frames and more.

    private final SplittableRandom random;
    private long drawn;

    /** @param share how often, of a hundred */
    private record Choice(int ack, int from, boolean isSaid, int share) {}

    private static final List<Choice> QUORUMS = List.of(
            new Choice(2, 3, false, 45),
            new Choice(2, 3, true, 25),
            new Choice(3, 3, true, 10),
            new Choice(1, 1, true, 8),
            new Choice(1, 3, true, 7),
            new Choice(2, 2, true, 5));

    public Workload(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** All keys there are. */
    static List<String> keys() {
        return Stream.concat(
                        IntStream.range(0, HOT_KEYS).mapToObj(Workload::hot),
                        IntStream.range(0, SPREAD_KEYS).mapToObj(Workload::spread))
                .toList();
    }

    private static String hot(int index) {
        return "hot-" + index;
    }

    private static String spread(int index) {
        return "key-" + index;
    }

    Draw next() {
        drawn++;
        boolean isHot = is(HOT);
        String key = isHot ? hot(random.nextInt(HOT_KEYS)) : spread(random.nextInt(SPREAD_KEYS));
        Kind kind = is(READS) ? Kind.READ : is(DELETES) ? Kind.DELETE : Kind.WRITE;
        String value = kind == Kind.WRITE ? value() : null;
        Choice quorum = quorum();
        Request request = new Request(kind, Mode.QUORUM, key, value, quorum.ack, quorum.from);
        return new Draw(request, quorum.isSaid, random.nextInt() >>> 1);
    }

    /** A read of a key by all of its replicas, or by so many of them. */
    Draw read(String key, int ack) {
        return new Draw(new Request(Kind.READ, Mode.QUORUM, key, null, ack, 3), true, random.nextInt() >>> 1);
    }

    private String value() {
        int bound = is(HUGE_VALUES) ? HUGE_VALUE_MAX : is(LONG_VALUES) ? LONG_VALUE_MAX : 1;
        return Payload.tag("w" + drawn, random.nextInt(bound));
    }

    private Choice quorum() {
        int at = random.nextInt(100);
        for (Choice choice : QUORUMS) {
            at -= choice.share;
            if (at < 0) {
                return choice;
            }
        }
        throw new IllegalStateException("the shares of the quorums are less than a hundred together");
    }

    private boolean is(double probability) {
        return random.nextDouble() < probability;
    }
}
