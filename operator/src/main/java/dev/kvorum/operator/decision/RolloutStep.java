package dev.kvorum.operator.decision;

import java.util.List;

/**
 * What is to be done next so that all pods are as the spec says.
 *
 * @param isDone whether they are
 * @param stuck whether it goes on only when somebody does something
 * @param reason one word for the condition
 * @param message what it waits for, in a sentence; empty when it is done
 */
public record RolloutStep(boolean isDone, boolean stuck, String reason, String message, List<Action> actions) {
    static final RolloutStep DONE = new RolloutStep(true, false, "Settled", "", List.of());

    public RolloutStep {
        actions = List.copyOf(actions);
    }

    static RolloutStep waiting(String message) {
        return new RolloutStep(false, false, "Updating", message, List.of());
    }

    static RolloutStep stuck(String message) {
        return stuck("UpdateStuck", message);
    }

    static RolloutStep stuck(String reason, String message) {
        return new RolloutStep(false, true, reason, message, List.of());
    }

    static RolloutStep replacing(String member, Observed.PodState pod, String why) {
        return new RolloutStep(
                false,
                false,
                "Updating",
                "replacing " + member + ": " + why,
                List.of(new Action.ReplacePod(member, pod.uid(), why)));
    }
}
