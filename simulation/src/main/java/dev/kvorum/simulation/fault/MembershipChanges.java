package dev.kvorum.simulation.fault;

import dev.kvorum.simulation.node.Cluster;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import java.util.List;

/** Topologies that are published while all else goes on: no faults, but they meet them. */
final class MembershipChanges {
    private static final int JOINING_MAX = 2;
    private static final int LEAVING_MAX = 2;
    private static final double CANCELLED = 0.3;
    private static final double FAVOURED = 1000;
    private static final long LOOK = 100_000_000;

    private MembershipChanges() {}

    /** The same members under the next epoch. */
    static Fault newEpoch(Cluster cluster) {
        return new Fault("a new epoch is published", () -> cluster.publish(next(cluster.topology())), () -> {});
    }

    private static Topology next(Topology topology) {
        return next(topology, topology.members());
    }

    private static Topology next(Topology topology, List<Member> members) {
        return new Topology(
                topology.cluster(),
                topology.epoch() + 1,
                topology.replicationFactor(),
                topology.partitions(),
                members,
                topology.reads());
    }

    /** Somebody edits the topology file of one member alone, which then owns most of the data; until the epoch after that is published to all. */
    static Fault secondContent(Cluster cluster, Chance chance) {
        String mistaken = chance.oneOf(cluster.memberNames());
        return new Fault(
                "the next epoch has another content for " + mistaken,
                () -> cluster.publishTwo(
                        mistaken,
                        next(cluster.topology()),
                        next(cluster.topology(), favouring(mistaken, cluster.topology()))),
                () -> cluster.publish(next(cluster.topology())));
    }

    private static List<Member> favouring(String favoured, Topology topology) {
        return topology.members().stream()
                .map(member -> new Member(
                        member.id(),
                        member.api(),
                        member.peer(),
                        member.id(), // Each in a zone of its own: the weight alone decides.
                        member.state(),
                        member.id().equals(favoured) ? FAVOURED : 1,
                        member.incarnation()))
                .toList();
    }

    /** Some join and some leave; taken back in the end, now and then. */
    static Fault change(Cluster cluster, Chance chance) {
        int joining = chance.from(0, JOINING_MAX);
        int leaving = chance.from(joining == 0 ? 1 : 0, LEAVING_MAX);
        boolean cancelled = chance.is(CANCELLED);
        Chance members = chance.branch();
        return new Fault(
                joining + " members are to join, " + leaving + " to leave"
                        + (cancelled ? ", until that is taken back" : ""),
                () -> cluster.operator().ask(joining, leaving, members),
                () -> {
                    if (cancelled) {
                        cluster.operator().cancel();
                    }
                });
    }

    /** A machine is switched off, and its member removed, so that the others go on without it; later somebody adds it again, as it was left. */
    static Fault exile(Cluster cluster, Chance chance) {
        Member member = chance.oneOf(cluster.topology().members());
        return new Fault(
                member.id() + " is switched off and removed from the members, until it is added again",
                () -> cluster.operator().exile(member),
                () -> cluster.operator().readmit(member));
    }

    /** A machine is off while members change, and comes back with what it knew when they have, or when they can't without it. */
    static Fault missedChange(Cluster cluster, Chance chance) {
        String node = chance.oneOf(cluster.memberNames());
        int joining = chance.from(1, JOINING_MAX);
        int leaving = chance.from(0, LEAVING_MAX);
        Chance members = chance.branch();
        return new Fault(
                node + " is off while " + joining + " members join and " + leaving + " leave",
                () -> {
                    cluster.kill(node);
                    cluster.operator().ask(joining, leaving, members);
                },
                () -> startAfterTheChange(node, cluster));
    }

    private static void startAfterTheChange(String node, Cluster cluster) {
        if (cluster.operator().isIdle() || cluster.operator().waitsFor(node)) {
            cluster.start(node);
        } else {
            var _ = cluster.world().timeline().after(LOOK, () -> startAfterTheChange(node, cluster));
        }
    }
}
