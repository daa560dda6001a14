package dev.kvorum.operator.decision;

import dev.kvorum.topology.Member;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done next about the members.
 *
 * @param reason one word for the condition
 * @param message a sentence that says what it waits for, or what keeps it
 * @param publication the topology to be published; null where it is not time yet
 * @param starting members that are in no topology yet, but whose pods are to run
 * @param actions what is to be done besides
 * @param plan what is to be moved; null where no change is planned or running
 */
public record MembershipStep(
        ChangePhase step,
        String reason,
        String message,
        @Nullable Publication publication,
        List<Member> starting,
        List<Action> actions,
        @Nullable ScalingPlan plan) {
    public MembershipStep {
        starting = List.copyOf(starting);
        actions = List.copyOf(actions);
    }

    static MembershipStep waiting(ChangePhase step, String message, @Nullable ScalingPlan plan) {
        return new MembershipStep(step, step.name(), message, null, List.of(), List.of(), plan);
    }

    static MembershipStep refused(String reason, String message, @Nullable ScalingPlan plan) {
        return new MembershipStep(ChangePhase.Refused, reason, message, null, List.of(), List.of(), plan);
    }

    static MembershipStep publishing(ChangePhase step, Publication publication, @Nullable ScalingPlan plan) {
        return new MembershipStep(
                step, step.name(), publication.note().message(), publication, List.of(), List.of(), plan);
    }

    MembershipStep doing(List<? extends Action> further) {
        return new MembershipStep(step, reason, message, publication, starting, List.copyOf(further), plan);
    }

    /** The same, with one sentence more. */
    MembershipStep noting(String further) {
        return new MembershipStep(step, reason, message + "; " + further, publication, starting, actions, plan);
    }

    MembershipStep running(List<Member> members) {
        return new MembershipStep(step, reason, message, publication, members, actions, plan);
    }
}
