package dev.kvorum.operator.decision;

import dev.kvorum.operator.api.QuorumSpec;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Placement;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntBinaryOperator;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether every partition has its quorum, and would have it without one more member.
 *
 * <p>R + W &gt; N is the user's choice per request; what is looked at here are the default quorums of the spec: the larger of reads and writes.
 */
final class Availability {
    private final Topology topology;
    private final List<Placement> placements;
    private final QuorumSpec quorum;
    private final Set<String> healthy;
    private final Set<String> serving;
    private final Set<String> unheard;
    private final Set<String> reached;

    Availability(Observed observed, Topology topology) {
        this.topology = topology;
        this.placements = placements(topology);
        this.quorum = observed.spec().quorum();
        this.healthy = ids(topology, member -> observed.isHealthy(member, topology.epoch()));
        // Right after an epoch was published all are one behind, and clients notice nothing: nodes learn it from each
        // other as well.
        this.serving = ids(topology, member -> observed.isHealthy(member, topology.epoch() - 1));
        // Clients do not come to who joins, so its pod need not be ready: members that can ask it write to it.
        this.reached = ids(
                topology,
                member -> serving.contains(member.id())
                        || (member.state() == MemberState.JOINING
                                && observed.report(member)
                                        .map(report -> report.epoch() >= topology.epoch() - 1)
                                        .orElse(false)));
        this.unheard = ids(
                topology,
                member -> observed.report(member).isEmpty()
                        && observed.pod(member).map(Observed.PodState::isUp).orElse(false));
    }

    private static Set<String> ids(Topology topology, Predicate<Member> which) {
        return topology.members().stream().filter(which).map(Member::id).collect(Collectors.toUnmodifiableSet());
    }

    /** Members that may be counted on for the next step: they go by the present epoch. */
    Set<String> healthy() {
        return healthy;
    }

    /** Members that serve clients: those, and who goes by the epoch before. */
    Set<String> serving() {
        return serving;
    }

    /** Whether each partition has as many owners that members can ask as a request needs. */
    boolean isComplete() {
        return serving.size() == topology.members().size() || holds(reached, (ack, copies) -> ack);
    }

    /** Whether it may be so, as members that can't be asked are ready: only the way between them and the operator may be broken. */
    boolean mayBeComplete() {
        Set<String> all = Stream.concat(reached.stream(), unheard.stream()).collect(Collectors.toUnmodifiableSet());
        return holds(all, (ack, copies) -> ack);
    }

    /**
     * Whether a member may be away for a while: each partition must keep its quorum, or as many owners as can be kept where its quorum can't be had
     * without all of them.
     */
    boolean canSpare(String member) {
        Set<String> rest = healthy.stream().filter(id -> !id.equals(member)).collect(Collectors.toUnmodifiableSet());
        return holds(rest, (ack, copies) -> Math.min(ack, copies - 1));
    }

    private boolean holds(Set<String> up, IntBinaryOperator needed) {
        for (Placement placement : placements) {
            int copies = Math.min(topology.replicationFactor(), placement.size());
            int need = needed.applyAsInt(ack(copies), copies);
            for (int partition = 0; partition < topology.partitions(); partition++) {
                List<Member> owners = placement.owners(partition, copies);
                if (owners.stream().filter(owner -> up.contains(owner.id())).count() < need) {
                    return false;
                }
            }
        }
        return true;
    }

    private int ack(int copies) {
        int majority = copies / 2 + 1;
        int read = quorum.read() == 0 ? majority : Math.min(quorum.read(), copies);
        int write = quorum.write() == 0 ? majority : Math.min(quorum.write(), copies);
        return Math.max(read, write);
    }

    private static List<Placement> placements(Topology topology) {
        List<Placement> placements = new ArrayList<>();
        placements.add(Placement.current(topology));
        if (topology.isChanging()) {
            placements.add(Placement.next(topology)); // Writes need the next owners as well.
        }
        return placements;
    }
}
