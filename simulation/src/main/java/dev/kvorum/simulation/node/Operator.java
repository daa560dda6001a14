package dev.kvorum.simulation.node;

import dev.kvorum.simulation.world.Chance;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Succession;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangeRequest;
import dev.kvorum.topology.change.ChangeStep;
import dev.kvorum.topology.change.ChangeTopologies;
import dev.kvorum.topology.change.MemberReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whoever runs the cluster, and changes its members by the {@link ChangeStep}s, as the driver of the command line does. Machines of members that have
 * left are switched off, sometimes before they had the time to drop what they held.
 */
public final class Operator {
    /** As many copies as keys have at most where members change. */
    private static final int MEMBERS_MIN = 3;

    private static final long LOOK = 200_000_000;
    private static final long PATIENCE = 60_000_000_000L; // With those that have left and still hold something.
    private static final double AT_ONCE = 0.5;

    private final Cluster cluster;
    private final int downMax;
    private @Nullable Change change;

    /** A change from its request to its end. */
    private static final class Change {
        final int joining;
        final int leaving;
        final Chance chance;
        final boolean waitsForDrops;
        final Set<String> participants = new HashSet<>();
        boolean begun;
        boolean taken; // Back.
        long endedAt = -1;

        Change(int joining, int leaving, Chance chance) {
            this.joining = joining;
            this.leaving = leaving;
            this.chance = chance;
            this.waitsForDrops = !chance.is(AT_ONCE);
        }
    }

    Operator(Cluster cluster, int downMax) {
        this.cluster = cluster;
        this.downMax = downMax;
    }

    /**
     * Asks for a change, which begins when it can; ignored while another is under way.
     *
     * @param joining how many join, of machines that were no members yet
     * @param leaving how many leave
     */
    public void ask(int joining, int leaving, Chance chance) {
        if (isIdle()) {
            change = new Change(joining, leaving, chance);
            look();
        }
    }

    /** Asks for the running change to be taken back, where that is still possible. */
    public void cancel() {
        Change running = change;
        if (running != null) {
            running.taken = true;
        }
    }

    /** Whether no change is under way. */
    public boolean isIdle() {
        return change == null;
    }

    private void look() {
        Change running = change;
        if (running == null) {
            return;
        }
        if (running.begun) {
            goOn(running);
        } else if (isSettled(cluster.memberNames())) {
            begin(running);
        }
        var _ = cluster.world().timeline().after(LOOK, this::look);
    }

    /** A member that is down may come back with what it knew: so each has to be there and to have heard of the present epoch, but for the few that may not. */
    private boolean isSettled(List<String> names) {
        long epoch = cluster.topology().epoch();
        return down().size() <= downMax
                && names.stream().map(cluster::machine).allMatch(machine -> machine.goesBy(epoch) || machine.isDown());
    }

    private Set<String> down() {
        return cluster.memberNames().stream()
                .filter(name -> cluster.machine(name).isDown())
                .collect(Collectors.toSet());
    }

    private void begin(Change running) {
        Topology present = cluster.topology();
        List<Member> joining = running.chance.some(running.joining, cluster.spares());
        int free = present.members().size() + joining.size() - MEMBERS_MIN;
        List<String> leaving = running.chance.some(Math.min(running.leaving, free), cluster.memberNames());
        if (joining.isEmpty() && leaving.isEmpty()) {
            change = null;
            return;
        }
        running.begun = true;
        publish(ChangeTopologies.begin(present, new ChangeRequest(joining, Set.copyOf(leaving), down())));
        running.participants.addAll(cluster.memberNames());
        cluster.startNew();
    }

    private void goOn(Change running) {
        Topology present = cluster.topology();
        Set<String> gone = down().size() <= downMax ? down() : Set.of();
        ChangeStep step = running.taken
                ? ChangeStep.back(present, reports(), gone)
                : ChangeStep.forwards(present, reports(), gone);
        switch (step) {
            case ChangeStep.Await await -> cluster.world().trace().comment("operator", await::what);
            case ChangeStep.Settle settle ->
                settle.members().forEach(member -> cluster.machine(member.id()).settle(present.epoch(), gone));
            case ChangeStep.Publish publish -> publish(publish.next());
            case ChangeStep.Over over -> end(running);
        }
    }

    private Map<String, MemberReport> reports() {
        Map<String, MemberReport> reports = new HashMap<>();
        cluster.memberNames().forEach(name -> {
            MemberReport report = cluster.machine(name).report();
            if (report != null) {
                reports.put(name, report);
            }
        });
        return reports;
    }

    /** Those that have left are gone when they have heard of it. */
    private void end(Change running) {
        long now = cluster.world().timeline().now();
        running.endedAt = running.endedAt < 0 ? now : running.endedAt;
        List<String> left = new ArrayList<>(running.participants);
        left.removeAll(cluster.memberNames());
        boolean waits = running.waitsForDrops && now - running.endedAt < PATIENCE;
        if (isSettled(cluster.memberNames())
                && isSettled(left)
                && !(waits && left.stream().anyMatch(this::isDropping))) {
            left.forEach(cluster::retire);
            change = null;
        }
    }

    private boolean isDropping(String name) {
        MemberReport report = cluster.machine(name).report();
        return report != null && report.former().pending() > 0;
    }

    private void publish(Topology next) {
        Succession.refusal(cluster.topology(), next)
                .ifPresent(why -> cluster.world().bugs().add("The operator publishes what may not follow: " + why));
        cluster.world().trace().note("operator", "publishes", next.epoch(), next::toString);
        cluster.publish(next);
    }
}
