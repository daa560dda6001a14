package dev.kvorum.operator.decision;

import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Seat;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/**
 * Whether a topology is this cluster's, and whether one that nodes go by may take the place of the published one. A node may have been taken over, or given an old file:
 * whom its topology leaves out would lose his volume, and its addresses are those that the operator talks to. So nobody leaves by what nodes say, and no step of a change
 * is taken by it: steps are verified before they are published.
 */
final class TopologyTrust {
    /** Nodes take no topology that is further ahead of theirs. */
    static final long EPOCHS_AHEAD_MAX = 1_000_000;

    private final Observed observed;

    TopologyTrust(Observed observed) {
        this.observed = observed;
    }

    /** Where the spec says otherwise, in words; empty where nowhere. */
    Optional<String> contradiction(Topology topology) {
        if (!observed.name().identity().equals(topology.cluster())) {
            return Optional.of("it is that of the cluster \"" + topology.cluster() + "\"");
        } else if (topology.partitions() != observed.spec().partitions()) {
            return Optional.of("it has " + topology.partitions() + " partitions, spec.partitions is "
                    + observed.spec().partitions());
        } else if (topology.replicationFactor() != observed.spec().replicationFactor()) {
            return Optional.of("its replication factor is " + topology.replicationFactor()
                    + ", spec.replicationFactor is " + observed.spec().replicationFactor());
        } else if (topology.members().stream().anyMatch(member -> named(member).isEmpty())) {
            return Optional.of(
                    "its members " + topology.members().stream().map(Member::id).toList() + " are "
                            + (observed.name().zoned() ? "not in zones" : "in zones") + ", spec.zones says otherwise");
        }
        return Optional.empty();
    }

    /** Why it can't be what an operator has published for this cluster, in words; empty where it can. */
    Optional<String> strangeness(Topology ofNodes) {
        List<String> elsewhere = ofNodes.members().stream()
                .filter(member -> !isWhereItShouldBe(member))
                .map(Member::id)
                .toList();
        return contradiction(ofNodes)
                .or(() -> elsewhere.isEmpty()
                        ? Optional.empty()
                        : Optional.of("it gives " + String.join(", ", elsewhere)
                                + " another address or zone than this cluster does"));
    }

    /** Those who go by it, if it is further ahead than others follow: they never will, and it can't be outdone. Else empty. */
    List<String> outOfReach(Topology ofNodes) {
        List<String> behind = holdersOf(epoch -> ofNodes.epoch() - epoch > EPOCHS_AHEAD_MAX);
        return behind.isEmpty() ? List.of() : holders(ofNodes);
    }

    /** Ids of those who go by it. */
    List<String> holders(Topology topology) {
        return holdersOf(epoch -> epoch == topology.epoch());
    }

    private List<String> holdersOf(LongPredicate epoch) {
        return observed.reports().values().stream()
                .filter(report -> epoch.test(report.epoch()))
                .map(MemberReport::member)
                .sorted()
                .toList();
    }

    /** What it takes from the published one that only the operator may, in words; empty where nothing. */
    Optional<String> overreach(Topology published, Topology ofNodes) {
        List<String> leaving = published.members().stream()
                .filter(member -> leaves(member, ofNodes))
                .map(Member::id)
                .toList();
        List<String> joined = ofNodes.members().stream()
                .filter(member -> hasJoined(member, published))
                .map(Member::id)
                .toList();
        if (!leaving.isEmpty()) {
            return Optional.of(
                    "by it " + String.join(", ", leaving) + " leave or have left, which is not what was published");
        } else if (!joined.isEmpty()) {
            return Optional.of("by it " + String.join(", ", joined)
                    + " have joined, which is not what was published: they may not hold what they should");
        }
        boolean isSwitched = ofNodes.reads() == Reads.NEXT
                && (published.reads() != Reads.NEXT
                        || !ids(ofNodes.nextOwners()).equals(ids(published.nextOwners())));
        return isSwitched
                ? Optional.of("by it reads ask the next owners, which is not what was published: "
                        + "they may not hold what they should")
                : Optional.empty();
    }

    private static Set<String> ids(List<Member> members) {
        return members.stream().map(Member::id).collect(Collectors.toUnmodifiableSet());
    }

    /** Who only joins has nothing that others do not have. */
    private static boolean leaves(Member member, Topology ofNodes) {
        Optional<MemberState> state = ofNodes.member(member.id()).map(Member::state);
        return switch (member.state()) {
            case JOINING -> false;
            case ACTIVE -> state.isEmpty() || state.get() == MemberState.LEAVING;
            case LEAVING -> state.isEmpty();
        };
    }

    private static boolean hasJoined(Member member, Topology published) {
        return member.state().ownsNow()
                && published
                        .member(member.id())
                        .filter(before -> before.state().ownsNow())
                        .isEmpty();
    }

    private boolean isWhereItShouldBe(Member member) {
        boolean isZoneKnown = observed.name().zoned()
                ? observed.zones().contains(member.zone())
                : member.zone().equals(Seat.NO_ZONE);
        return isZoneKnown
                && named(member)
                        .filter(asNamed -> member.api().equals(asNamed.api())
                                && member.peer().equals(asNamed.peer()))
                        .isPresent();
    }

    /** The member of this cluster that it is; empty where none is called so. */
    private Optional<Member> named(Member member) {
        return Optional.of(member)
                .filter(any -> observed.name().isMember(any.id()))
                .map(any -> observed.name().memberAt(ClusterName.seat(any), MemberState.ACTIVE, null))
                .filter(asNamed -> asNamed.id().equals(member.id()));
    }
}
