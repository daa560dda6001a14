package dev.kvorum.operator.decision;

import dev.kvorum.operator.api.Approval;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import dev.kvorum.operator.cluster.Seat;
import dev.kvorum.operator.decision.Observed.VolumeState;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangePlan;
import dev.kvorum.topology.change.ChangeRequest;
import dev.kvorum.topology.change.ChangeTopologies;
import dev.kvorum.topology.change.MemberReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How the members become those that the spec asks for, while none is changing yet. {@link ChangePlan} says whether a change may begin and how; a running one is {@link
 * StepActions}'s. What is added here is about Kubernetes: pods, volumes, approval and rollout.
 *
 * <ol>
 *   <li>A change that was about to begin and is not asked for any more is taken back ({@link JoinMarks}).
 *   <li>What would lose copies, or use the volume of a former member, is refused.
 *   <li>All members go by the present epoch and serve, those that leave as well: they hold what is to be moved ({@link Absence}). No pod is being replaced.
 *   <li>The plan fits onto the disks. With {@code approval: Manual} it waits for the annotation that names it.
 *   <li>The pods of new members run, by the present epoch. They are asked for by {@link MembershipStep#starting}.
 *   <li>Their volumes are marked, and then the change is begun.
 * </ol>
 */
final class MembershipDecision {
    private final Observed observed;
    private final Topology present;
    private final Availability availability;
    private final RolloutStep rollout;
    private final List<Member> target;
    private final JoinMarks joinMarks;

    MembershipDecision(Observed observed, Topology present, Availability availability, RolloutStep rollout) {
        this.observed = observed;
        this.present = present;
        this.availability = availability;
        this.rollout = rollout;
        this.target = target(observed);
        this.joinMarks = new JoinMarks(observed, present);
    }

    /** The members that the spec asks for. */
    static List<Member> target(Observed observed) {
        ClusterName name = observed.name();
        return Seat.of(observed.spec()).stream()
                .map(seat -> name.memberAt(seat, MemberState.ACTIVE, null))
                .toList();
    }

    MembershipStep next() {
        MembershipStep step = step();
        List<String> leaving = step.plan() == null ? List.of() : step.plan().leaving();
        return new Absence(observed, leaving).ignored().map(step::noting).orElse(step);
    }

    private MembershipStep step() {
        if (present.isChanging()) {
            return new StepActions(observed, present, target).next();
        }
        List<String> abandoned = joinMarks.abandoned(target);
        if (!abandoned.isEmpty()) {
            return takeBack(abandoned);
        }
        if (sameMembers(target, present.members())) {
            return joinMarks.missed().isEmpty() ? settled() : ending();
        }
        ScalingPlan plan = ScalingPlan.of(begun(), observed, request().gone());
        MembershipStep refusal = refusal(plan);
        return refusal != null ? refusal : prepare(plan);
    }

    /** The members are those that are asked for. Pods of former ones may still end. */
    private MembershipStep settled() {
        MembershipStep step = new Incarnations(observed, present).next();
        String former = observed.pods().keySet().stream()
                .filter(id -> present.member(id).isEmpty())
                .sorted()
                .collect(Collectors.joining(", "));
        return step.publication() != null || former.isEmpty()
                ? step
                : MembershipStep.waiting(
                        ChangePhase.Finishing, "waiting until the pods of " + former + " have ended", null);
    }

    /** An epoch that changes nothing: who has decided by the present one to begin the change is too late then. */
    private MembershipStep takeBack(List<String> abandoned) {
        String ids = String.join(", ", abandoned);
        // All of them, those without a process as well: a present epoch that is older than theirs is seen by that.
        List<String> silent = present.members().stream()
                .filter(member -> observed.report(member).isEmpty())
                .map(Member::id)
                .toList();
        List<String> behind = silent.isEmpty() ? new TopologyAdoption(observed, present).behind() : silent;
        if (!behind.isEmpty()) {
            return MembershipStep.waiting(
                    ChangePhase.Cancelling,
                    "before the change that was to begin with " + ids + " is taken back, waiting until "
                            + String.join(", ", behind) + " goes by epoch " + present.epoch() + remedy(),
                    null);
        }
        Topology next = ChangeTopologies.repeated(present);
        Note note = Note.normal(
                "ScalingTakenBack",
                "Epoch " + next.epoch() + " changes nothing: the change that was about to begin with " + ids
                        + " is not asked for any more");
        return MembershipStep.publishing(ChangePhase.Cancelling, new Publication(next, false, note), null);
    }

    private String remedy() {
        return new Absence(observed, List.of())
                .remedy(present.members())
                .map(remedy -> ". " + remedy)
                .orElse("");
    }

    /** By another epoch it could not be told any more that they never became members. */
    private MembershipStep ending() {
        return MembershipStep.waiting(
                ChangePhase.Cancelling,
                "waiting until the pods of " + String.join(", ", joinMarks.missed())
                        + " have ended, which never became members",
                null);
    }

    private @Nullable MembershipStep refusal(ScalingPlan plan) {
        if (target.size() < present.replicationFactor()) {
            return MembershipStep.refused(
                    "BelowReplicationFactor",
                    "spec.replicas is " + target.size() + ", but must be at least spec.replicationFactor, "
                            + present.replicationFactor() + ": with fewer nodes keys would lose copies",
                    plan);
        }
        Optional<String> strangers = observed.strangersAmong(joining());
        if (strangers.isPresent()) {
            return MembershipStep.refused("VolumesOfOthers", strangers.get(), plan);
        }
        List<String> kept = joining().stream()
                .filter(member -> observed.volume(member)
                        .map(volume -> volume.removed() != null
                                || volume.unreadable() != null
                                || (volume.joined() != null && volume.joined() < present.epoch()))
                        .orElse(false))
                .map(Member::id)
                .toList();
        return kept.isEmpty()
                ? null
                : MembershipStep.refused(
                        "KeptVolumes",
                        "volumes of former members are in the way, and are never used again: when nothing in them is missed, "
                                + observed.commands().deleteVolumes(kept),
                        plan);
    }

    private MembershipStep prepare(ScalingPlan plan) {
        String obstacle = obstacle(plan);
        if (obstacle != null) {
            return MembershipStep.waiting(ChangePhase.Waiting, obstacle, plan);
        }
        if (observed.spec().scaling().approval() == Approval.Manual
                && !plan.id().equals(observed.approval())) {
            return MembershipStep.waiting(
                    ChangePhase.AwaitingApproval,
                    "this plan waits to be approved (" + plan.inWords() + "): "
                            + observed.commands().annotate(Labels.APPROVAL, plan.id()),
                    plan);
        }
        List<String> missed = joinMarks.missed();
        if (!missed.isEmpty()) {
            return MembershipStep.waiting(
                    ChangePhase.Preparing,
                    "waiting until " + String.join(", ", missed)
                            + " has gone: it was to join by an earlier change, and begins anew",
                    plan);
        }
        List<Member> joining = joining();
        for (Member member : joining) {
            String lacking = lacking(member);
            if (lacking != null) {
                return MembershipStep.waiting(ChangePhase.Preparing, lacking, plan)
                        .running(joining);
            }
        }
        return switch (ChangePlan.of(present, request(), observed.reports(), observed.sizes())) {
            case ChangePlan.Accepted accepted -> begin(plan, joining, accepted.begin());
            case ChangePlan.Refused refused ->
                MembershipStep.waiting(ChangePhase.Waiting, refused.reason(), plan)
                        .running(joining);
        };
    }

    private MembershipStep begin(ScalingPlan plan, List<Member> joining, Topology next) {
        List<Action> marks = new ArrayList<>();
        for (Member member : joining) {
            VolumeState volume = observed.volume(member).orElse(null);
            if (volume != null && volume.joined() == null) {
                marks.add(new Action.MarkJoined(member.id(), next.epoch(), volume.version()));
            }
        }
        if (!joining.stream().allMatch(member -> isMarkedFor(member, next.epoch()))) {
            return MembershipStep.waiting(ChangePhase.Preparing, "marking the volumes of new members", plan)
                    .running(joining)
                    .doing(marks);
        }
        Note note = Note.normal("ScalingBegun", "Epoch " + next.epoch() + " begins a change: " + plan.inWords());
        return MembershipStep.publishing(ChangePhase.Beginning, new Publication(next, false, note), plan);
    }

    private boolean isMarkedFor(Member member, long epoch) {
        return observed.volume(member).map(volume -> volume.isMarkedFor(epoch)).orElse(false);
    }

    /** What keeps a change from beginning for now. */
    private @Nullable String obstacle(ScalingPlan plan) {
        Absence absence = new Absence(observed, plan.leaving());
        Optional<String> remedy = absence.remedy(present.members());
        if (remedy.isPresent()) {
            return remedy.get();
        }
        for (Member member : present.members()) {
            if (!availability.healthy().contains(member.id()) && !absence.isGone(member.id())) {
                return "waiting until " + member.id() + " is ready and goes by epoch " + present.epoch();
            }
        }
        List<String> behind = new TopologyAdoption(observed, present).behind();
        if (behind.stream().anyMatch(id -> present.member(id).isEmpty())) {
            return "waiting until the pods of former members have gone: " + String.join(", ", behind);
        }
        if (!rollout.isDone()) {
            return "waiting until all pods are as the spec says: " + rollout.message();
        }
        // Asked here already: nobody has to approve a plan, or start nodes for it, that can't be carried out.
        return ChangePlan.uncounted(present, request().gone(), observed.sizes())
                .map(member -> "waiting until " + member.id() + " says how much it holds")
                .or(() -> ChangePlan.shortage(plan.moves(), observed.reports())
                        .map(shortage -> shortage + ": raise spec.storage.size first"))
                .orElse(null);
    }

    /** What a new member still lacks to be begun with. */
    private @Nullable String lacking(Member member) {
        MemberReport report = observed.report(member).orElse(null);
        if (report != null && report.past().isForgotten()) {
            return member.id()
                    + " can't join with what it holds: it was away for longer than deletions are kept, and would bring back what was deleted. "
                    + "Take replicas back, and delete its volume: "
                    + observed.commands().deleteVolumes(List.of(member.id()));
        }
        if (report != null && report.epoch() == present.epoch()) {
            return null;
        }
        Optional<String> trouble = observed.trouble(member.id());
        if (trouble.isPresent()) {
            return member.id() + " does not start: " + trouble.get();
        }
        return report == null
                ? "waiting until " + member.id() + " has been started and can be asked"
                : "waiting until " + member.id() + " goes by epoch " + present.epoch();
    }

    private List<Member> joining() {
        return target.stream()
                .filter(member -> present.member(member.id()).isEmpty())
                .toList();
    }

    private ChangeRequest request() {
        List<String> leaving = present.members().stream()
                .map(Member::id)
                .filter(id -> target.stream().noneMatch(member -> member.id().equals(id)))
                .toList();
        List<String> gone = new Absence(observed, leaving).gone();
        return new ChangeRequest(joining(), Set.copyOf(leaving), Set.copyOf(gone));
    }

    private Topology begun() {
        return ChangeTopologies.begin(present, request());
    }

    static boolean sameMembers(List<Member> these, List<Member> others) {
        return ids(these).equals(ids(others));
    }

    private static List<String> ids(List<Member> members) {
        return members.stream().map(Member::id).sorted().toList();
    }
}
