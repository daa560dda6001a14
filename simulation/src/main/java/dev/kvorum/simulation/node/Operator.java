package dev.kvorum.simulation.node;

import dev.kvorum.simulation.world.Chance;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Succession;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangeRequest;
import dev.kvorum.topology.change.ChangeStep;
import dev.kvorum.topology.change.Gain;
import dev.kvorum.topology.change.MemberReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whoever runs the cluster, and changes its members by the {@link ChangeStep}s, as the driver of the command line does, after {@link Planning}. Machines of members that have
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
    private @Nullable Member exiled;

    /** A change from its request to its end. */
    private static final class Change {
        final Supplier<ChangeRequest> wish;
        final boolean waitsForDrops;
        final boolean keepsDisks;
        final Set<String> participants = new HashSet<>();
        boolean begun;
        boolean taken; // Back.
        long endedAt = -1;

        /** @param keepsDisks whether those who leave are not there to have their disks emptied */
        Change(Supplier<ChangeRequest> wish, boolean waitsForDrops, boolean keepsDisks) {
            this.wish = wish;
            this.waitsForDrops = waitsForDrops;
            this.keepsDisks = keepsDisks;
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
            boolean waits = !chance.is(AT_ONCE);
            change = new Change(() -> some(joining, leaving, chance), waits, false);
            look();
        }
    }

    private ChangeRequest some(int joining, int leaving, Chance chance) {
        List<Member> newcomers = chance.some(joining, cluster.spares());
        int free = Math.max(0, cluster.topology().members().size() + newcomers.size() - MEMBERS_MIN);
        List<String> leavers = chance.some(Math.min(leaving, free), cluster.memberNames());
        return new ChangeRequest(newcomers, Set.copyOf(leavers), down());
    }

    /** Switches a machine off, and asks for its member to leave without it; ignored while another change is under way, or such a machine is off. */
    public void exile(Member member) {
        if (isIdle()) {
            exiled = member;
            cluster.kill(member.id());
            change = new Change(() -> without(member), false, true);
            look();
        }
    }

    private ChangeRequest without(Member member) {
        boolean isFree = cluster.topology().members().size() > MEMBERS_MIN;
        return new ChangeRequest(List.of(), isFree ? Set.of(member.id()) : Set.of(), down());
    }

    /** Asks for it to be a member again, as soon as nothing else is under way; its machine is as it was left. */
    public void readmit(Member member) {
        if (!member.equals(exiled)) {
            return;
        }
        if (change != null) {
            var _ = cluster.world().timeline().after(LOOK, () -> readmit(member));
            return;
        }
        exiled = null;
        if (cluster.memberNames().contains(member.id())) {
            cluster.start(member.id());
            return;
        }
        change = new Change(() -> new ChangeRequest(List.of(member), Set.of(), down()), false, false);
        look();
    }

    /** Asks for the running change to be taken back, where that is still possible. */
    public void cancel() {
        Change running = change;
        if (running != null) {
            running.taken = true;
        }
    }

    /** Whether no change is under way, and nobody waits for one. */
    public boolean isIdle() {
        return change == null && exiled == null;
    }

    /** Whether reads do not switch before that member has what it gains by the running change. */
    public boolean waitsFor(String name) {
        Topology present = cluster.topology();
        return present.isChanging()
                && present.reads() != Reads.NEXT
                && !Gain.of(present, name).isEmpty();
    }

    private void look() {
        Change running = change;
        if (running == null) {
            return;
        }
        if (running.begun) {
            goOn(running);
        } else if (isSettled(cluster.memberNames()) && !isRebuilding()) {
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

    /** Whether a member lacks what was on its disk. */
    private boolean isRebuilding() {
        return reports().values().stream().anyMatch(report -> report.rebuilding() > 0);
    }

    private Set<String> down() {
        return cluster.memberNames().stream()
                .filter(name -> cluster.machine(name).isDown())
                .collect(Collectors.toSet());
    }

    private void begin(Change running) {
        ChangeRequest request = running.wish.get();
        if (request.joining().isEmpty() && request.leaving().isEmpty()) {
            change = null;
            return;
        }
        running.begun = true;
        publish(new Planning(cluster, request).begun());
        running.participants.addAll(cluster.memberNames());
        cluster.startWith(request.joining());
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
            left.stream().filter(name -> !running.keepsDisks).forEach(cluster::retire);
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
