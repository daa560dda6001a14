package dev.kvorum.simulation.fault;

import dev.kvorum.simulation.network.LinkFault;
import dev.kvorum.simulation.node.Cluster;
import dev.kvorum.simulation.world.Chance;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * One member misses what others acknowledge. Of these one forgets it, as its machine loses power, its disk is put back from a copy or its log is damaged. Then the first is there again, and the last can't be asked: the first
 * two are a quorum, and only the one that forgot can know that it must not answer.
 */
final class Relay {
    private static final long SECOND = 1_000_000_000;

    /** How long writes go on without the first: others are told in that time how far a disk has come. */
    private static final long MISSING_MIN = SECOND / 5;

    private static final long MISSING_OLDER_MIN = 3 * SECOND / 2;
    private static final long MISSING_MAX = 5 * SECOND / 2;
    private static final long OFF_MAX = SECOND / 5;

    /** Until the last is cut off: the one that starts can ask it before. */
    private static final long ASKED_MAX = SECOND / 10;

    /** How long one lasts at least: to its end, and for reads of what was forgotten. */
    static final long LASTS_MIN = MISSING_MAX + OFF_MAX + ASKED_MAX + 2 * SECOND;

    private final Cluster cluster;
    private final String first;
    private final String forgetful;
    private final String last;
    private final List<Pair> parted = new ArrayList<>();
    private boolean over;

    private record Pair(String one, String other) {}

    private Relay(Cluster cluster, Chance chance) {
        this.cluster = cluster;
        List<String> names = chance.shuffled(cluster.memberNames());
        this.first = names.getFirst();
        this.forgetful = names.get(1);
        this.last = names.getLast();
    }

    static Fault cut(Cluster cluster, Chance chance) {
        Relay relay = new Relay(cluster, chance);
        long missing = chance.from(MISSING_MIN, MISSING_MAX);
        return relay.fault("loses power", missing, cluster::losePower, name -> {}, chance);
    }

    static Fault older(Cluster cluster, Chance chance) {
        Relay relay = new Relay(cluster, chance);
        long missing = chance.from(MISSING_OLDER_MIN, MISSING_MAX);
        return relay.fault("is put back from a copy", missing, name -> {}, cluster::putBackDisk, chance);
    }

    static Fault damaged(Cluster cluster, Chance chance) {
        Relay relay = new Relay(cluster, chance);
        long missing = chance.from(MISSING_MIN, MISSING_MAX);
        double how = chance.fraction();
        return relay.fault("has a damaged log", missing, name -> cluster.damageLog(name, how), name -> {}, chance);
    }

    private Fault fault(String words, long missing, Consumer<String> fails, Consumer<String> returns, Chance chance) {
        long off = chance.from(OFF_MAX / 20, OFF_MAX);
        long asked = chance.from(1, ASKED_MAX);
        return new Fault(
                first + " is isolated, then " + forgetful + " " + words + ", then " + last + " is isolated",
                () -> {
                    cluster.copyDisk(forgetful);
                    isolate(first);
                    later(missing, () -> fails.accept(forgetful));
                    later(missing + off, () -> {
                        others(first).forEach(other -> join(new Pair(first, other)));
                        part(last, first); // Else that would bring it what it missed.
                        returns.accept(forgetful);
                        cluster.start(forgetful);
                    });
                    later(missing + off + asked, () -> isolate(last));
                },
                this::end);
    }

    private void later(long nanos, Runnable step) {
        var _ = cluster.world().timeline().after(nanos, () -> {
            if (!over) {
                step.run();
            }
        });
    }

    private List<String> others(String name) {
        return cluster.names().stream().filter(other -> !other.equals(name)).toList();
    }

    private void isolate(String name) {
        others(name).forEach(other -> part(name, other));
    }

    private void part(String one, String other) {
        parted.add(new Pair(one, other));
        cluster.network().link(one, other).begin(LinkFault.cut());
        cluster.network().link(other, one).begin(LinkFault.cut());
    }

    private void join(Pair pair) {
        parted.remove(pair);
        cluster.network().link(pair.one, pair.other).end(LinkFault.cut());
        cluster.network().link(pair.other, pair.one).end(LinkFault.cut());
    }

    private void end() {
        over = true;
        List.copyOf(parted).forEach(this::join);
        cluster.start(forgetful);
    }
}
