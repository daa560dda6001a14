package dev.kvorum.topology.change;

import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Succession;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The topologies of a change, each the next epoch after the one that it is made of. */
public final class ChangeTopologies {
    private ChangeTopologies() {}

    /**
     * The one that begins it.
     *
     * @throws InvalidTopologyException if there is no such topology
     */
    public static Topology begin(Topology present, ChangeRequest request) {
        Stream<Member> staying = present.members().stream()
                .map(member -> request.leaving().contains(member.id()) ? in(MemberState.LEAVING, member) : member);
        Stream<Member> joining = request.joining().stream().map(member -> in(MemberState.JOINING, member));
        return next(present, Stream.concat(staying, joining).toList(), Reads.CURRENT);
    }

    /**
     * The same with the incarnations of the members and of those that join, as far as they are known. One that still rebuilds what it has lost keeps its former
     * incarnation, by which it is known to do so.
     */
    public static Topology incarnated(Topology begun, Map<String, MemberReport> reports) {
        List<Member> members = map(begun.members(), member -> {
            @Nullable MemberReport report = reports.get(member.id());
            return report == null || (member.incarnation() != null && !isWhole(report, begun.epoch() - 1))
                    ? member
                    : with(report.incarnation(), member);
        });
        return new Topology(
                begun.cluster(), begun.epoch(), begun.replicationFactor(), begun.partitions(), members, begun.reads());
    }

    /** By an older epoch it may not know that its disk is another. */
    private static boolean isWhole(MemberReport report, long epoch) {
        return report.rebuilding() == 0 && report.epoch() >= epoch;
    }

    /** The same members in the next epoch: a change that is about to begin by the present one comes too late. */
    public static Topology repeated(Topology present) {
        return next(present, present.members(), present.reads());
    }

    /** From then on reads ask the owners after the change. */
    public static Topology switched(Topology present) {
        return next(present, present.members(), Reads.NEXT);
    }

    /** And again those before it. */
    public static Topology switchedBack(Topology present) {
        return next(present, present.members(), Reads.BACK);
    }

    /** The change is done. */
    public static Topology finished(Topology present) {
        return active(present, member -> member.state().ownsNext());
    }

    /** The change is taken back. */
    public static Topology cancelled(Topology present) {
        return active(present, member -> member.state().ownsNow());
    }

    /** The same with the incarnations that the members report; the present one itself if it names them all. */
    public static Topology recorded(Topology present, Map<String, MemberReport> reports) {
        List<Member> members =
                map(present.members(), member -> recorded(member, reports.get(member.id()), present.epoch()));
        return members.equals(present.members()) ? present : next(present, members, present.reads());
    }

    /** The same with the incarnations of those that the topology knows by another; the present one itself if there are none. */
    public static Topology replaced(Topology present, Map<String, MemberReport> reports) {
        List<Member> members = map(
                present.members(),
                member -> member.knownIncarnation().isPresent()
                        ? recorded(member, reports.get(member.id()), present.epoch())
                        : member);
        return members.equals(present.members()) ? present : next(present, members, present.reads());
    }

    /** One that still rebuilds what it has lost keeps its former incarnation, by which it is known to do so. */
    private static Member recorded(Member member, @Nullable MemberReport report, long epoch) {
        return report != null && report.epoch() == epoch && report.rebuilding() == 0
                ? with(report.incarnation(), member)
                : member;
    }

    /** A member of that incarnation. */
    public static Member with(UUID incarnation, Member member) {
        return new Member(
                member.id(), member.api(), member.peer(), member.zone(), member.state(), member.weight(), incarnation);
    }

    private static Topology active(Topology present, Predicate<Member> staying) {
        List<Member> members = present.members().stream()
                .filter(staying)
                .map(member -> in(MemberState.ACTIVE, member))
                .toList();
        return next(present, members, Reads.CURRENT);
    }

    private static Member in(MemberState state, Member member) {
        return new Member(
                member.id(),
                member.api(),
                member.peer(),
                member.zone(),
                state,
                member.weight(),
                member.knownIncarnation().orElse(null));
    }

    private static List<Member> map(List<Member> members, Function<Member, Member> change) {
        List<Member> changed = new ArrayList<>(members);
        changed.replaceAll(change::apply);
        return changed;
    }

    private static Topology next(Topology present, List<Member> members, Reads reads) {
        Topology next = new Topology(
                present.cluster(),
                present.epoch() + 1,
                present.replicationFactor(),
                present.partitions(),
                members,
                reads);
        Succession.refusal(present, next).ifPresent(refusal -> {
            throw new InvalidTopologyException("epoch " + next.epoch() + " can't follow: " + refusal);
        });
        return next;
    }
}
