package dev.kvorum.simulation.node;

import dev.kvorum.simulation.world.Chance;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Succession;
import dev.kvorum.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whoever runs the cluster, and changes its members in the steps of {@link Succession}. It publishes a topology only when every member goes by
 * the present one, and lets the reads switch only when whoever gains a partition has what the owners before hold.
 */
public final class Operator {
    /** As many copies as keys have at most where members change. */
    private static final int MEMBERS_MIN = 3;

    private static final long LOOK = 200_000_000;

    private final Cluster cluster;
    private final int downMax;
    private @Nullable Wish wish;
    private @Nullable Transfers transfers;
    private boolean cancels;
    private List<String> leaving = List.of();

    /** What it has been asked for. */
    private record Wish(int joining, int leaving, Chance chance) {}

    Operator(Cluster cluster, int downMax) {
        this.cluster = cluster;
        this.downMax = downMax;
    }

    /**
     * Asks for a change, which begins when it can; ignored while another is under way.
     *
     * @param joining how many join, of machines that were no members yet
     * @param leave how many leave
     */
    public void ask(int joining, int leave, Chance chance) {
        if (isIdle()) {
            wish = new Wish(joining, leave, chance);
            cancels = false;
            look();
        }
    }

    /** Asks for the running change to be taken back, where that is still possible. */
    public void cancel() {
        cancels = true;
    }

    /** Whether no change is under way. */
    public boolean isIdle() {
        return wish == null;
    }

    private void look() {
        if (isSettled()) {
            step();
        }
        if (!isIdle()) {
            var _ = cluster.world().timeline().after(LOOK, this::look);
        }
    }

    /**
     * A member that is down may come back with what it knew: so each has to be there, but for the few that may not, and to have heard of the present epoch. Who has
     * left may be gone, if it can't come back.
     */
    private boolean isSettled() {
        long epoch = cluster.topology().epoch();
        List<Machine> members =
                cluster.memberNames().stream().map(cluster::machine).toList();
        return members.stream().allMatch(member -> member.goesBy(epoch) || member.isDown())
                && members.stream().filter(Machine::isDown).count() <= downMax
                && leaving.stream()
                        .map(cluster::machine)
                        .allMatch(machine -> machine.goesBy(epoch) || machine.isDown());
    }

    private void step() {
        Topology present = cluster.topology();
        if (!present.isChanging()) {
            beginOrEnd(present);
        } else if (present.reads() == Reads.NEXT) {
            leaving = named(present, MemberState.LEAVING);
            publish(present, active(present.nextOwners()), Reads.CURRENT);
        } else if (cancels) {
            leaving = named(present, MemberState.JOINING);
            publish(present, active(present.currentOwners()), Reads.CURRENT);
        } else {
            transfer(present);
        }
    }

    /** Between two changes: whoever was to leave has left, and what is next begins. */
    private void beginOrEnd(Topology present) {
        Wish wanted = wish;
        List<Member> next = wanted == null || transfers != null ? List.of() : next(present, wanted);
        if (next.isEmpty()) {
            leaving.forEach(cluster::retire);
            leaving = List.of();
            transfers = null;
            wish = null;
        } else {
            transfers = new Transfers(cluster, downMax);
            publish(present, next, Reads.CURRENT);
            cluster.startNew();
        }
    }

    private List<Member> next(Topology present, Wish wanted) {
        List<Member> spare = cluster.spares();
        List<Member> joining = wanted.chance.some(wanted.joining, spare);
        int free = present.members().size() + joining.size() - MEMBERS_MIN;
        List<Member> gone = wanted.chance.some(Math.min(wanted.leaving, free), present.members());
        List<Member> next = new ArrayList<>();
        present.members().forEach(member -> next.add(gone.contains(member) ? in(MemberState.LEAVING, member) : member));
        joining.forEach(member -> next.add(in(MemberState.JOINING, member)));
        return joining.isEmpty() && gone.isEmpty() ? List.of() : next;
    }

    private void transfer(Topology present) {
        Transfers moving = transfers;
        if (moving != null && moving.advance()) {
            publish(present, present.members(), Reads.NEXT);
        }
    }

    private void publish(Topology present, List<Member> members, Reads reads) {
        Topology next = new Topology(
                present.cluster(),
                present.epoch() + 1,
                present.replicationFactor(),
                present.partitions(),
                members,
                reads);
        Succession.refusal(present, next)
                .ifPresent(why -> cluster.world().bugs().add("The operator publishes what may not follow: " + why));
        cluster.world().trace().note("operator", "publishes", next.epoch(), next::toString);
        cluster.publish(next);
    }

    private static List<String> named(Topology topology, MemberState state) {
        return topology.members().stream()
                .filter(member -> member.state() == state)
                .map(Member::id)
                .toList();
    }

    private static List<Member> active(List<Member> members) {
        return members.stream().map(member -> in(MemberState.ACTIVE, member)).toList();
    }

    private static Member in(MemberState state, Member member) {
        return new Member(
                member.id(), member.api(), member.peer(), member.zone(), state, member.weight(), member.incarnation());
    }
}
