package dev.kvorum.node.command;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangePlan;
import dev.kvorum.topology.change.ChangeRequest;
import dev.kvorum.topology.change.ChangeStep;
import dev.kvorum.topology.change.ChangeTopologies;
import dev.kvorum.topology.change.MemberReport;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Carries a change of the members out, or back: asks all what they go by and how far they are, does the next {@link ChangeStep}, and asks again. What it knows it has
 * from them, so it may be ended at any instant, and another goes on.
 */
final class ChangeDriver {
    private static final Polling POLLING = new Polling(Duration.ofMillis(500));
    private static final Duration UNANSWERED_MAX = Duration.ofSeconds(30);
    private static final Duration STALLED_MAX =
            Duration.ofSeconds(10); // Without progress in dropping, which needs nobody to wait for it.

    /** Where it is going. */
    enum Direction {
        FORWARDS,
        BACK
    }

    private final ClusterPort cluster;
    private final Screen screen;
    private final Set<String> gone;
    private final Map<String, Member> participants = new LinkedHashMap<>();
    private boolean switched;

    /** @param gone ids of members that nobody waits for */
    ChangeDriver(ClusterPort cluster, Screen screen, Set<String> gone) {
        this.cluster = cluster;
        this.screen = screen;
        this.gone = gone;
    }

    /** What a change would move, or why it can't be. */
    ChangePlan plan(ChangeRequest request) {
        Observation now = cluster.observe(request.joining());
        return ChangePlan.of(now.topology(), request, now.reports(), cluster.sizes(now.topology()));
    }

    /** Publishes the first topology of a change that was planned. */
    void begin(ChangePlan.Accepted plan) {
        Topology present = cluster.observe(List.of()).topology();
        cluster.publish(present, plan.begin(), gone);
        screen.say("Epoch " + plan.begin().epoch() + ": the change has begun.");
    }

    /**
     * Returns when the change is final, or taken back, and whether that is what was wanted. It waits for members as long as it takes: one that is down may be
     * brought back tomorrow, and whoever has no more patience ends the command.
     */
    boolean drive(Direction direction) {
        while (true) {
            Observation now = observePatiently();
            now.topology().members().forEach(member -> participants.put(member.id(), member));
            if (isTakenBack(direction, now.topology())) {
                screen.say("Somebody takes the change back: it is left to them.");
                return false;
            }
            ChangeStep step = direction == Direction.FORWARDS
                    ? ChangeStep.forwards(now.topology(), now.reports(), gone)
                    : ChangeStep.back(now.topology(), now.reports(), gone);
            if (step instanceof ChangeStep.Over) {
                return true;
            }
            carryOut(step, now);
        }
    }

    /** Nobody may answer for a while, as when all are restarted. */
    private Observation observePatiently() {
        long deadline = System.nanoTime() + UNANSWERED_MAX.toNanos();
        while (true) {
            try {
                return cluster.observe(List.of());
            } catch (PeerPortException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
                screen.say("Nobody answers, they are asked again: " + e.getMessage());
                POLLING.awaitNextLook();
            }
        }
    }

    private boolean isTakenBack(Direction direction, Topology topology) {
        switched |= topology.reads() == Reads.NEXT;
        return direction == Direction.FORWARDS
                && switched
                && topology.isChanging()
                && topology.reads() == Reads.CURRENT;
    }

    private void carryOut(ChangeStep step, Observation now) {
        switch (step) {
            case ChangeStep.Await await -> {
                sendToThoseBehind(now);
                screen.progress(now.reports().values(), await.what());
                POLLING.awaitNextLook();
            }
            case ChangeStep.Settle settle -> {
                screen.say("All members go by epoch " + now.topology().epoch() + ": data moves.");
                cluster.settle(settle.members(), now.topology().epoch(), gone);
            }
            case ChangeStep.Publish publish -> publish(now.topology(), publish.next());
            case ChangeStep.Over over -> throw new IllegalStateException("it is over");
        }
    }

    /** Refused, it is because another was faster: what that has done is seen when all are asked again. */
    private void publish(Topology present, Topology next) {
        try {
            cluster.publish(present, next, gone);
            screen.say("Epoch " + next.epoch() + ": " + describe(next));
        } catch (PeerPortException e) {
            screen.say("Epoch " + next.epoch() + " could not be published, it is tried again: " + e.getMessage());
            POLLING.awaitNextLook();
        }
    }

    private static String describe(Topology topology) {
        if (topology.isChanging()) {
            return "reads ask the owners " + (topology.reads() == Reads.NEXT ? "after" : "before") + " the change.";
        }
        return "the members are " + topology.members().stream().map(Member::id).collect(Collectors.joining(", ")) + ".";
    }

    private void sendToThoseBehind(Observation now) {
        List<Member> behind = now.topology().members().stream()
                .filter(member -> Optional.ofNullable(now.reports().get(member.id()))
                        .filter(report -> report.epoch() < now.topology().epoch())
                        .isPresent())
                .toList();
        cluster.send(behind, now.topology());
    }

    /** After the end: waits until all that took part have dropped what they need not hold, as long as they get on with it. */
    void awaitDrops() {
        int before = Integer.MAX_VALUE;
        long progressed = System.nanoTime();
        while (System.nanoTime() - progressed < STALLED_MAX.toNanos()) {
            int pending = pendingDrops();
            if (pending == 0) {
                screen.say("What was moved is dropped where it was: done.");
                return;
            }
            screen.say("Former owners have " + pending + " partitions to look at.");
            if (pending < before) {
                progressed = System.nanoTime();
            }
            before = pending;
            POLLING.awaitNextLook();
        }
        screen.say(
                "The change is final. Some members still hold what they need not, and drop it when all owners can be reached.");
    }

    private int pendingDrops() {
        Observation now = cluster.observe(List.of());
        sendToThoseBehind(now);
        int pending = 0;
        for (Member member : participants.values()) {
            if (gone.contains(member.id())) {
                continue;
            }
            Optional<MemberReport> report =
                    Optional.ofNullable(now.reports().get(member.id())).or(() -> cluster.report(member));
            if (report.isPresent() && report.get().epoch() < now.topology().epoch()) {
                cluster.send(List.of(member), now.topology()); // One that has left learns it from nobody else.
                pending++;
            }
            pending += report.map(told -> told.former().pending()).orElse(0);
        }
        return pending;
    }

    /** Notes the incarnations of all members in the topology; false if there is nothing to note. */
    boolean record() {
        Observation now = cluster.observe(List.of());
        Topology recorded = ChangeTopologies.recorded(now.topology(), now.reports());
        if (recorded.equals(now.topology())) {
            return false;
        }
        cluster.publish(now.topology(), recorded, gone);
        return true;
    }
}
