package dev.kvorum.node.command;

import dev.kvorum.control.ClusterReport;
import dev.kvorum.control.ControlException;
import dev.kvorum.control.Settled;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangePlan;
import dev.kvorum.topology.change.ChangeRequest;
import dev.kvorum.topology.change.ChangeStep;
import dev.kvorum.topology.change.ChangeTopologies;
import dev.kvorum.topology.change.MemberReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Carries a change of the members out, or back: asks all what they go by and how far they are, does the next {@link ChangeStep}, and asks again. What it knows it has
 * from them, so it may be ended at any instant, and another goes on.
 */
final class ChangeDriver {
    private static final int ATTEMPTS_MAX = 60;
    private static final int STALLS_MAX = 20; // Pauses without progress in dropping, which needs nobody to wait for it.

    /** Where it is going. */
    enum Direction {
        FORWARDS,
        BACK
    }

    private final AnyNode cluster;
    private final Screen screen;
    private final Set<String> gone;
    private final Polling polling;
    private final Map<String, Member> participants = new LinkedHashMap<>();
    private @Nullable Topology last; // Seen.
    private Map<String, String> silent = Map.of();

    /**
     * @param gone ids of members that nobody waits for
     * @param pause between two questions
     */
    ChangeDriver(AnyNode cluster, Screen screen, Set<String> gone, Duration pause) {
        this.cluster = cluster;
        this.screen = screen;
        this.gone = gone;
        this.polling = new Polling(pause);
    }

    /** What a change would move, or why it can't be. */
    ChangePlan plan(ChangeRequest request) {
        ClusterReport now = cluster.observe(request.joining(), List.of());
        silent = now.silent();
        return ChangePlan.of(now.topology(), request, now.reports(), cluster.sizes());
    }

    /** Why those that did not answer when a change was planned did not, in words, by member. */
    Map<String, String> silent() {
        return silent;
    }

    /** Publishes the first topology of a change that was planned. */
    void begin(ChangePlan.Accepted plan) {
        cluster.publish(plan.begin(), gone);
        screen.say("Epoch " + plan.begin().epoch() + ": the change has begun.");
    }

    /**
     * Returns when that change is over, one way or the other: others may drive it as well, and elsewhere. It waits for members as long as it takes: one that is down may be
     * brought back tomorrow, and whoever has no more patience ends the command.
     *
     * @param change a topology of the change
     * @return why it has not become what was wanted, in words; empty if it has
     */
    Optional<String> drive(Direction direction, Topology change) {
        Reads before = change.reads();
        while (true) {
            ClusterReport now = observePatiently(change.epoch(), List.of());
            Topology present = now.topology();
            last = present;
            present.members().forEach(member -> participants.put(member.id(), member));
            if (!seats(present).equals(seats(change))) {
                return difference(direction, change, present);
            }
            if (direction == Direction.FORWARDS && present.reads() == Reads.BACK && before != Reads.BACK) {
                return Optional.of("Somebody takes the change back: it is left to them");
            }
            before = present.reads();
            carryOut(
                    direction == Direction.FORWARDS
                            ? ChangeStep.forwards(present, now.reports(), gone)
                            : ChangeStep.back(present, now.reports(), gone),
                    now);
        }
    }

    /** Who takes part in what way: it is the same in all topologies of a change. */
    private static Map<String, MemberState> seats(Topology topology) {
        return topology.members().stream().collect(Collectors.toMap(Member::id, Member::state));
    }

    /** That no change runs, or another, does not say what has become of this one: the members do. */
    private static Optional<String> difference(Direction direction, Topology change, Topology present) {
        String wanted = ids(direction == Direction.FORWARDS ? change.nextOwners() : change.currentOwners());
        String members = ids(present.currentOwners());
        if (members.equals(wanted)) {
            return Optional.empty();
        }
        boolean opposite =
                members.equals(ids(direction == Direction.FORWARDS ? change.currentOwners() : change.nextOwners()));
        String how = !opposite
                ? "Others have changed the members meanwhile"
                : direction == Direction.FORWARDS
                        ? "Somebody has taken the change back"
                        : "The change was finished and can't be taken back any more";
        return Optional.of(how + ": the members are " + members + ", not " + wanted);
    }

    private static String ids(List<Member> members) {
        return members.stream().map(Member::id).sorted().collect(Collectors.joining(", "));
    }

    /** Nobody may answer for a while, as when all are restarted, or only such as have not heard of the change. */
    private ClusterReport observePatiently(long epoch, List<Member> former) {
        for (int attempt = 1; ; attempt++) {
            String why;
            try {
                ClusterReport now = cluster.observe(List.of(), former);
                if (now.topology().epoch() >= epoch) {
                    return now;
                }
                why = "nobody that answers goes by epoch " + epoch + " yet, or a later one";
            } catch (ControlException e) {
                why = String.valueOf(e.getMessage());
            }
            if (attempt == ATTEMPTS_MAX) {
                throw new ControlException(why, ControlException.UNREACHABLE);
            }
            screen.say("They are asked again: " + why);
            polling.awaitNextLook();
        }
    }

    private void carryOut(ChangeStep step, ClusterReport now) {
        switch (step) {
            case ChangeStep.Await await -> {
                screen.progress(now.reports().values(), await.what());
                screen.unwritable(now);
                polling.awaitNextLook();
            }
            case ChangeStep.Settle settle -> {
                String all =
                        gone.isEmpty() ? "All members" : "All members but " + String.join(", ", new TreeSet<>(gone));
                screen.say(all + " go by epoch " + now.topology().epoch() + ": data moves.");
                settle(new Settled(now.topology().epoch(), gone), settle.members());
            }
            case ChangeStep.Publish publish -> publish(publish.next());
            case ChangeStep.Over over -> throw new IllegalStateException("it is over");
        }
    }

    /** Members that were not told are told again when all are asked again. */
    private void settle(Settled settled, Collection<Member> members) {
        try {
            cluster.settle(settled, members);
        } catch (ControlException e) {
            screen.say("Not all members were told, they are told again: " + e.getMessage());
            polling.awaitNextLook();
        }
    }

    /** Refused, it is because another was faster: what that has done is seen when all are asked again. */
    private void publish(Topology next) {
        try {
            cluster.publish(next, gone);
            screen.say("Epoch " + next.epoch() + ": " + describe(next));
        } catch (ControlException e) {
            screen.say("Epoch " + next.epoch() + " could not be published, it is tried again: " + e.getMessage());
            polling.awaitNextLook();
        }
    }

    private static String describe(Topology topology) {
        if (topology.isChanging()) {
            return "reads ask the owners " + (topology.reads() == Reads.NEXT ? "after" : "before") + " the change.";
        }
        return "the members are " + ids(topology.members()) + ".";
    }

    /** After the end: waits until all that took part have dropped what they need not hold, as long as they get on with it. */
    void awaitDrops() {
        int stalls = 0;
        int before = Integer.MAX_VALUE;
        Drops drops = drops();
        while (!drops.areDone() && stalls < STALLS_MAX) {
            screen.say(drops.inWords());
            stalls = drops.pending < before ? 0 : stalls + 1;
            before = drops.pending;
            polling.awaitNextLook();
            drops = drops();
        }
        screen.say(
                drops.areDone()
                        ? "What was moved is dropped where it was: done."
                        : "The change is final. " + drops.inWords()
                                + " What they need not hold they drop when all owners can be reached.");
    }

    /**
     * What former owners have yet to drop.
     *
     * @param silent ids of those that can't be asked
     */
    private record Drops(int pending, List<String> silent) {
        boolean areDone() {
            return pending == 0 && silent.isEmpty();
        }

        String inWords() {
            String known = "Former owners have " + pending + " partitions to look at.";
            return silent.isEmpty()
                    ? known
                    : known + " Not known is what is left at those that do not answer: " + String.join(", ", silent)
                            + ".";
        }
    }

    /** Those that have left are asked as well: they learn of the end from no other. */
    private Drops drops() {
        List<Member> former = participants.values().stream()
                .filter(member -> last == null || last.member(member.id()).isEmpty())
                .toList();
        ClusterReport now = observePatiently(1, former);
        int pending = 0;
        List<String> silent = new ArrayList<>();
        for (String id : participants.keySet()) {
            MemberReport report = now.reports().get(id);
            if (gone.contains(id)) {
                continue;
            }
            if (report == null) {
                silent.add(id);
            } else {
                pending += report.former().pending()
                        + (report.epoch() < now.topology().epoch() ? 1 : 0);
            }
        }
        return new Drops(pending, silent);
    }

    /** Notes the incarnations of all members in the topology; false if there is nothing to note. */
    boolean record() {
        ClusterReport now = cluster.observe(List.of(), List.of());
        Topology recorded = ChangeTopologies.recorded(now.topology(), now.reports());
        if (recorded.equals(now.topology())) {
            return false;
        }
        cluster.publish(recorded, gone);
        return true;
    }
}
