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
 * quorums that overlap, some with others; some keys in linearizable mode. One thread only.
 */
public final class Workload {
    private static final int HOT_KEYS = 12;
    private static final int SPREAD_KEYS = 1500;
    private static final int REGISTERS = 8;
    private static final double REGISTER = 0.1;
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

    private static final List<Choice> OF_THREE = List.of(
            new Choice(2, 3, false, 50),
            new Choice(2, 3, true, 30),
            new Choice(3, 3, true, 10),
            new Choice(1, 3, true, 10));
    private static final List<Choice> OF_TWO = List.of(new Choice(2, 2, true, 80), new Choice(1, 2, true, 20));
    private static final List<Choice> OF_ONE = List.of(new Choice(1, 1, true, 100));

    /** All requests of a key ask for as many copies, which is what is promised where members change; every so many keys have fewer than others. */
    private static final int FEWER_COPIES = 12;

    public Workload(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** All keys there are. */
    static List<String> keys() {
        return Stream.concat(
                        IntStream.range(0, HOT_KEYS).mapToObj(Workload::hot),
                        Stream.concat(
                                IntStream.range(0, SPREAD_KEYS).mapToObj(Workload::spread),
                                IntStream.range(0, REGISTERS).mapToObj(Workload::register)))
                .toList();
    }

    private static String hot(int index) {
        return "hot-" + index;
    }

    private static String spread(int index) {
        return "key-" + index;
    }

    /** A key that is read and written in linearizable mode alone. */
    private static String register(int index) {
        return "register-" + index;
    }

    Draw next() {
        drawn++;
        Kind kind = is(READS) ? Kind.READ : is(DELETES) ? Kind.DELETE : Kind.WRITE;
        String value = kind == Kind.WRITE ? value() : null;
        if (is(REGISTER)) {
            String key = register(random.nextInt(REGISTERS));
            return draw(new Request(kind, Mode.LINEARIZABLE, key, value, 2, 3), false);
        }
        boolean isHot = is(HOT);
        int index = random.nextInt(isHot ? HOT_KEYS : SPREAD_KEYS);
        Choice quorum = choice(quorums(index));
        String key = isHot ? hot(index) : spread(index);
        return draw(new Request(kind, Mode.QUORUM, key, value, quorum.ack, quorum.from), quorum.isSaid);
    }

    private Draw draw(Request request, boolean saysQuorum) {
        return new Draw(request, saysQuorum, random.nextInt() >>> 1);
    }

    private static List<Choice> quorums(int index) {
        return switch (index % FEWER_COPIES) {
            case 0 -> OF_ONE;
            case 1 -> OF_TWO;
            default -> OF_THREE;
        };
    }

    /** A read of a key by all of its replicas, or by so many of them. */
    Draw read(String key, int ack) {
        return draw(new Request(Kind.READ, Mode.QUORUM, key, null, ack, 3), true);
    }

    private String value() {
        int bound = is(HUGE_VALUES) ? HUGE_VALUE_MAX : is(LONG_VALUES) ? LONG_VALUE_MAX : 1;
        return Payload.tag("w" + drawn, random.nextInt(bound));
    }

    private Choice choice(List<Choice> choices) {
        int at = random.nextInt(100);
        for (Choice choice : choices) {
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
