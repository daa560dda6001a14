package dev.kvorum.operator.decision;

import java.util.List;

/**
 * What is to be done next so that all pods are as the spec says.
 *
 * @param isDone whether they are
 * @param stuck whether it goes on only when somebody does something
 * @param message what it waits for, in a sentence; empty when it is done
 */
public record RolloutStep(boolean isDone, boolean stuck, String message, List<Action> actions) {
    static final RolloutStep DONE = new RolloutStep(true, false, "", List.of());

    public RolloutStep {
        actions = List.copyOf(actions);
    }

    static RolloutStep waiting(String message) {
        return new RolloutStep(false, false, message, List.of());
    }

    static RolloutStep stuck(String message) {
        return new RolloutStep(false, true, message, List.of());
    }

    static RolloutStep replacing(String member, Observed.PodState pod, String why) {
        return new RolloutStep(
                false,
                false,
                "replacing " + member + ": " + why,
                List.of(new Action.ReplacePod(member, pod.uid(), why)));
    }
}
