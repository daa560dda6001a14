package dev.kvorum.simulation.client;

import dev.kvorum.history.Request;
import dev.kvorum.history.Request.Kind;
import dev.kvorum.history.Request.Mode;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.simulation.world.Chance;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which keys clients use, what they do how often, and with which quorums.
 *
 * @param keys how many; the first are used more often
 * @param thinkMean how long a client waits between two requests on average, in nanoseconds
 * @param reads share of the requests, 0 to 1
 * @param deletes share of the other requests
 * @param quorums those that requests name, besides the default
 * @param byDefault share of the requests that leave the quorum to the policy
 * @param defaultQuorum what that comes to
 * @param longValues share of the writes with a value long enough to be counted while it is held
 */
public record Workload(
        int keys,
        long thinkMean,
        double reads,
        double deletes,
        List<Quorum> quorums,
        double byDefault,
        Quorum defaultQuorum,
        double longValues) {
    private static final int LONG_VALUE = 5000;
    private static final double SKEW = 1.5;

    /** What a client sends. */
    record Draw(Request request, boolean saysQuorum) {}

    /**
     * The same with other quorums.
     *
     * @param named those that requests name
     * @param unnamed share of the requests that leave the quorum to the policy
     * @param otherDefault what that comes to
     */
    public Workload asking(List<Quorum> named, double unnamed, Quorum otherDefault) {
        return new Workload(keys, thinkMean, reads, deletes, named, unnamed, otherDefault, longValues);
    }

    /** The names of all keys. */
    public List<String> names() {
        return IntStream.range(0, keys).mapToObj(Workload::name).toList();
    }

    private static String name(int index) {
        return "k" + index;
    }

    /** The next request of a client; {@code tag} is in no other. */
    Draw draw(Chance chance, String tag) {
        String key = name((int) (keys * Math.pow(chance.fraction(), SKEW)));
        boolean saysQuorum = !chance.is(byDefault);
        Quorum quorum = saysQuorum ? chance.oneOf(quorums) : defaultQuorum;
        Kind kind = chance.is(reads) ? Kind.READ : chance.is(deletes) ? Kind.DELETE : Kind.WRITE;
        String value = kind == Kind.WRITE ? value(chance, tag) : null;
        return new Draw(new Request(kind, Mode.QUORUM, key, value, quorum.ack(), quorum.from()), saysQuorum);
    }

    private String value(Chance chance, String tag) {
        return chance.is(longValues) ? tag + "-".repeat(LONG_VALUE) : tag;
    }
}
