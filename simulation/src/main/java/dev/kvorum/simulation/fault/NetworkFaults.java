package dev.kvorum.simulation.fault;

import dev.kvorum.simulation.network.Link;
import dev.kvorum.simulation.network.LinkFault;
import dev.kvorum.simulation.node.Cluster;
import dev.kvorum.simulation.world.Chance;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Ways between nodes on which messages are lost, held up, or come twice. */
final class NetworkFaults {
    private static final long DELAY_MIN = 1_000_000;
    private static final long DELAY_MAX = 3_000_000_000L;
    private static final double LOSS_MAX = 0.5;
    private static final double DUPLICATION_MAX = 0.5;

    private NetworkFaults() {}

    /** One direction between two nodes. */
    private record Way(String from, String to) {
        Link in(Cluster cluster) {
            return cluster.network().link(from, to);
        }

        @Override
        public String toString() {
            return from + ">" + to;
        }
    }

    private static List<Way> ways(Cluster cluster) {
        List<Way> ways = new ArrayList<>();
        for (String from : cluster.names()) {
            for (String to : cluster.names()) {
                if (!from.equals(to)) {
                    ways.add(new Way(from, to));
                }
            }
        }
        return ways;
    }

    private static List<Way> some(Cluster cluster, Chance chance) {
        List<Way> ways = ways(cluster);
        return chance.some(chance.from(1, Math.max(1, ways.size())), ways);
    }

    private static Fault on(List<Way> ways, LinkFault fault, Cluster cluster, String words) {
        return new Fault(
                words,
                () -> ways.forEach(way -> way.in(cluster).begin(fault)),
                () -> ways.forEach(way -> way.in(cluster).end(fault)));
    }

    static Fault oneWayCut(Cluster cluster, Chance chance) {
        List<Way> ways = chance.some(1, ways(cluster));
        return on(ways, LinkFault.cut(), cluster, ways + " is cut, one way");
    }

    static Fault partition(Cluster cluster, Chance chance) {
        List<String> names = cluster.names();
        List<String> side = chance.some(chance.from(1, Math.max(1, names.size() - 1)), names);
        return between(side, cluster, side + " and the others are parted");
    }

    static Fault isolation(Cluster cluster, Chance chance) {
        List<String> node = chance.some(1, cluster.names());
        return between(node, cluster, node + " is isolated");
    }

    private static Fault between(List<String> side, Cluster cluster, String words) {
        List<Way> cut = ways(cluster).stream()
                .filter(way -> side.contains(way.from()) != side.contains(way.to()))
                .toList();
        return on(cut, LinkFault.cut(), cluster, words);
    }

    /** A name service or a topology file has a mistake. */
    static Fault misledAddress(Cluster cluster, Chance chance) {
        List<String> two = chance.shuffled(cluster.memberNames());
        String one = two.getFirst();
        String other = two.getLast();
        return new Fault(
                "the address of " + one + " leads to " + other,
                () -> cluster.network().mislead(one, other),
                () -> cluster.network().correct(one));
    }

    static Fault swizzleClog(Cluster cluster, Chance chance) {
        List<Way> ways = some(cluster, chance);
        Swizzle swizzle = new Swizzle(
                ways.stream().map(way -> way.in(cluster)).toList(),
                cluster.world().timeline(),
                chance.branch());
        return new Fault(ways + " are swizzle-clogged", swizzle::begin, swizzle::end);
    }

    static Fault loss(Cluster cluster, Chance chance) {
        List<Way> ways = some(cluster, chance);
        double probability = LOSS_MAX * chance.fraction();
        return on(ways, LinkFault.loss(probability), cluster, ways + " lose " + percent(probability));
    }

    static Fault duplication(Cluster cluster, Chance chance) {
        List<Way> ways = some(cluster, chance);
        double probability = DUPLICATION_MAX * chance.fraction();
        return on(ways, LinkFault.duplication(probability), cluster, ways + " double " + percent(probability));
    }

    static Fault delay(Cluster cluster, Chance chance) {
        List<Way> ways = some(cluster, chance);
        long delay = chance.spread(DELAY_MIN, DELAY_MAX);
        return on(ways, LinkFault.delay(delay), cluster, ways + " delay up to " + delay / 1_000_000 + " ms");
    }

    static Fault fullLink(Cluster cluster, Chance chance) {
        List<Way> ways = some(cluster, chance);
        return on(ways, LinkFault.overflow(), cluster, ways + " take no more calls");
    }

    private static String percent(double probability) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * probability);
    }
}
