package dev.kvorum.operator.decision;

import dev.kvorum.operator.node.NodeReport;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Topology;
import java.util.List;

/**
 * How a change of the members goes on that has been begun.
 *
 * <pre>
 * reads CURRENT or BACK, wanted    all go by it -> tell them so (settle) -> all next owners verified -> all disks recorded -> reads NEXT
 * reads NEXT, wanted               all go by it -> finish
 * reads NEXT, not wanted           reads BACK
 * reads CURRENT, not wanted        the former members
 * reads BACK, not wanted           all go by it, those who join as well -> the former members
 * </pre>
 *
 * A change is wanted while its outcome is what the spec asks for. Setting {@code replicas} back, or to anything else, takes it back.
 */
final class RunningChange {
    private final Observed observed;
    private final Topology present;
    private final List<Member> target;
    private final Level level;
    private final Succeeding succeeding;
    private final MovePlan plan;
    private final Absence absence;

    RunningChange(Observed observed, Topology present, List<Member> target) {
        this.observed = observed;
        this.present = present;
        this.target = target;
        this.level = new Level(observed, present);
        this.succeeding = new Succeeding(present);
        this.plan = MovePlan.of(present, observed.sizes());
        this.absence = new Absence(observed, plan.leaving());
    }

    MembershipStep next() {
        if (!MembershipDecision.sameMembers(target, present.nextOwners())) {
            return cancel();
        }
        return present.reads() == Reads.NEXT ? finish() : transfer();
    }

    private MembershipStep transfer() {
        List<String> behind = level.behind();
        if (!behind.isEmpty()) {
            return waitFor(behind, ChangeStep.Beginning);
        }
        List<Action> settles = settles();
        for (Member owner : present.nextOwners()) {
            if (!isVerified(owner)) {
                return transferring(progress(), settles);
            }
        }
        for (Member member : present.members()) {
            if (observed.report(member).map(NodeReport::rebuilding).orElse(0) > 0) {
                return transferring(
                        "waiting for " + member.id() + ", which has lost its disk and pulls its data again", settles);
            }
        }
        List<String> replaced = replaced();
        if (!replaced.isEmpty()) {
            return recordReplaced(replaced);
        }
        Note note = Note.normal(
                "ReadsSwitched",
                "Epoch " + (present.epoch() + 1)
                        + ": all next owners were verified to hold their data, reads ask them now" + givenUp());
        return MembershipStep.publishing(
                ChangeStep.Switching, new Publication(succeeding.switched(), true, note), plan);
    }

    private boolean isVerified(Member owner) {
        return observed.report(owner)
                .map(report -> report.transfer().isVerified())
                .orElse(false);
    }

    private String givenUp() {
        List<String> gone = absence.gone();
        return gone.isEmpty() ? "" : "; what was held by " + String.join(", ", gone) + " alone is given up";
    }

    /** Ids of members whose disk is another than the topology knows; all have pulled what they are to hold. */
    private List<String> replaced() {
        return present.members().stream()
                .filter(member -> member.incarnation() != null)
                .filter(member -> observed.report(member)
                        .map(report -> !report.incarnation().equals(member.incarnation()))
                        .orElse(false))
                .map(Member::id)
                .toList();
    }

    /** As reads begin to ask it, such a member would take itself for one that has lost what it held, and refuse them. */
    private MembershipStep recordReplaced(List<String> replaced) {
        Topology next = succeeding.recording(member -> replaced.contains(member.id())
                ? observed.report(member).map(NodeReport::incarnation).orElse(member.incarnation())
                : member.incarnation());
        Note note = Note.normal(
                "DisksRecorded",
                "Epoch " + next.epoch() + " records the new data directories of " + String.join(", ", replaced));
        return MembershipStep.publishing(ChangeStep.Transferring, new Publication(next, isSwitched(), note), plan);
    }

    private MembershipStep finish() {
        List<String> behind = level.behind();
        if (!behind.isEmpty()) {
            return waitFor(behind, ChangeStep.Switching);
        }
        Note note = Note.normal(
                "ScalingFinished", "Epoch " + (present.epoch() + 1) + " finishes the change: " + plan.inWords());
        return MembershipStep.publishing(
                ChangeStep.Finishing, new Publication(succeeding.settled(), false, note), plan);
    }

    private MembershipStep cancel() {
        if (present.reads() == Reads.NEXT) {
            Note note = Note.normal(
                    "ScalingCancelled", "The change is not asked for any more: reads ask the former owners again");
            return MembershipStep.publishing(
                    ChangeStep.Cancelling, new Publication(succeeding.switchedBack(), true, note), plan);
        }
        // As ChangeStep.back of the topology: who has not heard of a change that never switched reads and writes as if
        // it were cancelled.
        List<String> behind = isSwitched() ? level.behind() : List.of();
        if (!behind.isEmpty()) {
            return waitFor(behind, ChangeStep.Cancelling);
        }
        Note note = Note.normal(
                "ScalingCancelled",
                "Epoch " + (present.epoch() + 1)
                        + ": the change is not asked for any more, the members are the former ones");
        return MembershipStep.publishing(
                ChangeStep.Cancelling, new Publication(succeeding.settled(), false, note), plan);
    }

    private boolean isSwitched() {
        return present.reads() == Reads.BACK
                || (observed.published() != null && observed.published().switched());
    }

    /** Until it is done each is told again: who is gone may be another by now. */
    private List<Action> settles() {
        List<String> gone = absence.gone();
        return present.members().stream()
                .filter(member -> observed.report(member).isPresent() && !isVerified(member))
                .<Action>map(member -> new Action.Settle(member, present.epoch(), gone))
                .toList();
    }

    private MembershipStep transferring(String message, List<Action> settles) {
        return MembershipStep.waiting(ChangeStep.Transferring, message, plan).doing(settles);
    }

    /** How far the transfer is, the first failure that somebody may have to look at, and for whom it waits. */
    private String progress() {
        int verified = 0;
        int partitions = 0;
        String failure = "";
        for (Member owner : present.nextOwners()) {
            NodeReport report = observed.report(owner).orElse(null);
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

    private MembershipStep waitFor(List<String> behind, ChangeStep step) {
        return MembershipStep.waiting(
                step, "waiting until " + String.join(", ", behind) + " goes by epoch " + present.epoch(), plan);
    }
}
