package dev.kvorum.operator.decision;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangeStep;
import dev.kvorum.topology.change.MemberReport;
import java.util.List;
import java.util.Set;

/**
 * Turns the steps of a running change into what the operator does and says.
 *
 * <p>{@link ChangeStep} decides what comes next, as for the command line and the simulation. This class maps what is observed to it, and a step to
 * actions, messages and events. It adds one thing that only Kubernetes knows of: pods of former members, which may still serve by an older topology.
 *
 * <p>A change is wanted while its outcome is what the spec asks for. Setting {@code replicas} back, or to anything else, takes it back.
 */
final class StepActions {
    private final Observed observed;
    private final Topology present;
    private final List<Member> target;
    private final TopologyAdoption adoption;
    private final ScalingPlan plan;
    private final Absence absence;

    StepActions(Observed observed, Topology present, List<Member> target) {
        this.observed = observed;
        this.present = present;
        this.target = target;
        this.adoption = new TopologyAdoption(observed, present);
        this.absence = new Absence(
                observed,
                present.members().stream()
                        .filter(member -> member.state() == MemberState.LEAVING)
                        .map(Member::id)
                        .toList());
        this.plan = ScalingPlan.of(present, observed, gone());
    }

    MembershipStep next() {
        return MembershipDecision.sameMembers(target, present.nextOwners()) ? forwards() : back();
    }

    private MembershipStep forwards() {
        List<String> behind = adoption.behind(); // Pods of former members as well, which the topology does not name.
        if (!behind.isEmpty()) {
            return waitFor(behind, present.reads() == Reads.NEXT ? ChangePhase.Switching : ChangePhase.Beginning);
        }
        return switch (ChangeStep.forwards(present, observed.reports(), gone(), observed::isAlive)) {
            case ChangeStep.Settle settle -> transferring(progress()).doing(settles(settle.members()));
            case ChangeStep.Await await -> transferring(isVerified() ? "waiting: " + await.what() : progress());
            case ChangeStep.Publish publish -> publishing(publish.next());
            case ChangeStep.Over over -> throw new IllegalStateException("No change is running");
        };
    }

    private MembershipStep publishing(Topology next) {
        if (!next.isChanging()) {
            Note note =
                    Note.normal("ScalingFinished", "Epoch " + next.epoch() + " finishes the change: " + plan.inWords());
            return MembershipStep.publishing(ChangePhase.Finishing, new Publication(next, false, note), plan);
        }
        if (next.reads() == present.reads()) {
            return recording(next);
        }
        Note note = Note.normal(
                "ReadsSwitched",
                "Epoch " + next.epoch() + ": all next owners were verified to hold their data, reads ask them now"
                        + givenUp());
        return MembershipStep.publishing(ChangePhase.Switching, new Publication(next, true, note), plan);
    }

    /** As reads begin to ask it, a member with a new disk would take itself for one that has lost what it held, and refuse them. */
    private MembershipStep recording(Topology next) {
        List<String> replaced = next.members().stream()
                .filter(member -> !present.members().contains(member))
                .map(Member::id)
                .toList();
        Note note = Note.normal(
                "DisksRecorded",
                "Epoch " + next.epoch() + " records the new data directories of " + String.join(", ", replaced));
        return MembershipStep.publishing(ChangePhase.Transferring, new Publication(next, isSwitched(), note), plan);
    }

    private MembershipStep back() {
        List<String> behind = isSwitched() && present.reads() != Reads.NEXT ? adoption.behind() : List.of();
        if (!behind.isEmpty()) {
            return waitFor(behind, ChangePhase.Cancelling);
        }
        return switch (ChangeStep.back(present, observed.reports(), gone(), observed::isAlive)) {
            case ChangeStep.Publish publish -> takingBack(publish.next());
            case ChangeStep.Await await -> MembershipStep.waiting(ChangePhase.Cancelling, await.what(), plan);
            case ChangeStep.Settle _, ChangeStep.Over _ ->
                throw new IllegalStateException("A change is taken back in no such step");
        };
    }

    private MembershipStep takingBack(Topology next) {
        String outcome = next.isChanging()
                ? "The change is not asked for any more: reads ask the former owners again"
                : "Epoch " + next.epoch() + ": the change is not asked for any more, the members are the former ones";
        Note note = Note.normal("ScalingCancelled", outcome);
        return MembershipStep.publishing(ChangePhase.Cancelling, new Publication(next, next.isChanging(), note), plan);
    }

    private Set<String> gone() {
        return Set.copyOf(absence.gone());
    }

    private boolean isVerified() {
        return present.nextOwners().stream().allMatch(this::isVerified);
    }

    private boolean isVerified(Member owner) {
        return observed.report(owner).map(report -> report.transfer().isDone()).orElse(false);
    }

    private String givenUp() {
        List<String> gone = absence.gone();
        return gone.isEmpty() ? "" : "; what was held by " + String.join(", ", gone) + " alone is given up";
    }

    private boolean isSwitched() {
        return present.reads() == Reads.BACK
                || (observed.published() != null && observed.published().switched());
    }

    private List<Action> settles(List<Member> members) {
        List<String> gone = absence.gone();
        return members.stream()
                .<Action>map(member -> new Action.Settle(member, present.epoch(), gone))
                .toList();
    }

    private MembershipStep transferring(String message) {
        return MembershipStep.waiting(ChangePhase.Transferring, message, plan);
    }

    /** How far the transfer is, the first failure that somebody may have to look at, and for whom it waits. */
    private String progress() {
        int verified = 0;
        int partitions = 0;
        String failure = "";
        for (Member owner : present.nextOwners()) {
            MemberReport report = observed.report(owner).orElse(null);
            if (report != null) {
                verified += report.transfer().verified();
                partitions += report.transfer().partitions();
                failure = failure.isEmpty() && !report.transfer().failure().isEmpty()
                        ? "; " + owner.id() + " has failed: "
                                + report.transfer().failure()
                        : failure;
            }
        }
        String absent =
                absence.remedy(present.members()).map(remedy -> "; " + remedy).orElse("");
        return verified + " of " + partitions + " copies of partitions are verified" + failure + absent;
    }

    private MembershipStep waitFor(List<String> behind, ChangePhase step) {
        return MembershipStep.waiting(
                step, "waiting until " + String.join(", ", behind) + " goes by epoch " + present.epoch(), plan);
    }
}
