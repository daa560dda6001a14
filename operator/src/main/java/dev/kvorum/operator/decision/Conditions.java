package dev.kvorum.operator.decision;

import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.Phase;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What holds of a cluster, and why.
 *
 * <pre>
 * Valid        the spec can be followed
 * Available    every partition has its quorum
 * Progressing  something is being changed, and it goes on by itself
 * Degraded     something is missing or stuck
 * Scaling      the members are changing, or wait to
 * Ready        all of the spec is so
 * </pre>
 */
final class Conditions {
    private static final List<String> TYPES =
            List.of("Available", "Degraded", "Progressing", "Ready", "Scaling", "Valid");

    private record Finding(boolean holds, boolean isKnown, String reason, String message) {
        Finding(boolean holds, String reason, String message) {
            this(holds, true, reason, message);
        }

        static Finding unknown(String reason, String message) {
            return new Finding(false, false, reason, message);
        }

        String status() {
            return isKnown ? (holds ? "True" : "False") : "Unknown";
        }
    }

    private final Observed observed;
    private final Decision decision;
    private final long generation;
    private final @Nullable KvorumClusterStatus previous;
    private final String now;
    private final @Nullable Topology topology;

    Conditions(
            Observed observed, Decision decision, long generation, @Nullable KvorumClusterStatus previous, String now) {
        this.observed = observed;
        this.decision = decision;
        this.generation = generation;
        this.previous = previous;
        this.now = now;
        this.topology =
                observed.published() == null ? null : observed.published().topology();
    }

    List<Condition> all() {
        return List.of(
                condition("Available", available()),
                condition("Degraded", degraded()),
                condition("Progressing", progressing()),
                condition("Ready", ready()),
                condition("Scaling", scaling()),
                condition("Valid", valid()));
    }

    /** The conditions of before, of which nothing new is known but that something failed. */
    static List<Condition> failed(List<Condition> before, String message, String now) {
        return TYPES.stream()
                .map(type -> switch (type) {
                    case "Degraded" -> failed(type, new Finding(true, "Failing", message), before, now);
                    case "Ready" -> failed(type, new Finding(false, "Failing", message), before, now);
                    default ->
                        find(before, type)
                                .orElseGet(() -> condition(type, Finding.unknown("Failing", message), 0, before, now));
                })
                .toList();
    }

    private static Condition failed(String type, Finding finding, List<Condition> before, String now) {
        long generation =
                find(before, type).map(Condition::getObservedGeneration).orElse(0L);
        return condition(type, finding, generation, before, now);
    }

    private static Condition condition(
            String type, Finding finding, long generation, List<Condition> before, String now) {
        String status = finding.status();
        return new ConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(finding.reason())
                .withMessage(finding.message())
                .withObservedGeneration(generation)
                .withLastTransitionTime(since(before, type, status, now))
                .build();
    }

    private static Optional<Condition> find(List<Condition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }

    /** The time of a condition moves only with its status. */
    private static String since(List<Condition> before, String type, String status, String now) {
        return find(before, type)
                .filter(condition -> condition.getStatus().equals(status))
                .map(Condition::getLastTransitionTime)
                .orElse(now);
    }

    boolean isReady() {
        return ready().holds();
    }

    boolean isDegraded() {
        return degraded().holds();
    }

    /** Whether its first nodes are still starting: then what is missing is not lost, only not there yet. */
    boolean isCreating() {
        return !allServe() && (previous == null || previous.phase() == Phase.Creating);
    }

    private boolean allServe() {
        return topology != null
                && decision.serving().size() == topology.members().size();
    }

    /** The first of what keeps the cluster from what is asked for; null where nothing does. */
    @Nullable
    String lastError() {
        Finding valid = valid();
        Finding degraded = degraded();
        return !valid.holds() ? valid.message() : degraded.holds() ? degraded.message() : null;
    }

    private Finding valid() {
        Obstacle obstacle = decision.obstacle();
        MembershipStep step = decision.membership();
        if (obstacle != null && obstacle.invalid()) {
            return new Finding(false, obstacle.reason(), obstacle.message());
        }
        if (step != null && step.reason().equals("BelowReplicationFactor")) {
            return new Finding(false, step.reason(), step.message());
        }
        return new Finding(true, "Accepted", "the spec can be followed");
    }

    private Finding available() {
        if (decision.available()) {
            return new Finding(true, "Quorum", "every partition has its quorum");
        } else if (topology == null) {
            return new Finding(false, "NotStarted", "there are no members yet");
        }
        String missing = topology.members().stream()
                .map(Member::id)
                .filter(id -> !decision.serving().contains(id))
                .collect(Collectors.joining(", "));
        return new Availability(observed, topology).mayBeComplete()
                ? Finding.unknown(
                        "NotReached",
                        "of " + missing + " some are ready and can't be asked by the operator: "
                                + "whether every partition has its quorum is not known")
                : new Finding(false, "NoQuorum", "partitions lack their quorum: " + missing + " can't be counted on");
    }

    private Finding degraded() {
        Obstacle obstacle = decision.obstacle();
        MembershipStep step = decision.membership();
        RolloutStep rollout = decision.rollout();
        if (obstacle != null) {
            return new Finding(true, obstacle.reason(), obstacle.message());
        } else if (step != null && step.step() == ChangePhase.Refused) {
            return new Finding(true, step.reason(), step.message());
        } else if (rollout != null && rollout.stuck()) {
            return new Finding(true, rollout.reason(), rollout.message());
        } else if (decision.trouble() != null) {
            return new Finding(true, "Failing", decision.trouble());
        }
        return unhealthy().orElse(new Finding(false, "AsExpected", "nothing is missing"));
    }

    private Optional<Finding> unhealthy() {
        if (topology == null) {
            return Optional.empty();
        }
        boolean expected = isCreating()
                || (decision.rollout() != null && !decision.rollout().isDone());
        return topology.members().stream()
                .filter(member -> !decision.serving().contains(member.id()))
                .flatMap(member -> unhealthy(member, expected).stream())
                .findFirst()
                .or(this::troubleOutside);
    }

    private Optional<Finding> unhealthy(Member member, boolean expected) {
        String trouble = observed.trouble(member.id()).orElse(null);
        int rebuilding =
                observed.report(member).map(report -> report.rebuilding()).orElse(0);
        if (trouble != null) {
            return Optional.of(new Finding(true, "PodTrouble", member.id() + ": " + trouble));
        } else if (rebuilding > 0) {
            return Optional.of(new Finding(
                    true,
                    "Rebuilding",
                    member.id() + " has lost data and brings " + rebuilding + " partitions anew from the others"));
        }
        // Who joins is counted on by nobody yet; the change waits for it, and says so.
        return expected || member.state() == MemberState.JOINING
                ? Optional.empty()
                : Optional.of(new Finding(true, "MemberDown", member.id() + " can't be counted on"));
    }

    /** Of pods that are to become members, or were some. */
    private Optional<Finding> troubleOutside() {
        return Stream.concat(observed.pods().keySet().stream(), observed.uncreated().keySet().stream())
                .sorted()
                .flatMap(id -> observed.trouble(id).map(trouble -> id + ": " + trouble).stream())
                .findFirst()
                .map(message -> new Finding(true, "PodTrouble", message));
    }

    private Finding progressing() {
        MembershipStep step = decision.membership();
        RolloutStep rollout = decision.rollout();
        if (observed.spec().paused()) {
            return new Finding(false, "Paused", "spec.paused is true: nothing is done");
        } else if (decision.publication() != null && step == null) {
            return new Finding(true, "Publishing", decision.publication().note().message());
        } else if (step != null && step.step().isUnderWay()) {
            return new Finding(true, step.reason(), step.message());
        } else if (rollout != null && !rollout.isDone()) {
            return new Finding(!rollout.stuck(), rollout.reason(), rollout.message());
        } else if (isCreating() && decision.obstacle() == null) {
            return new Finding(true, "Creating", "waiting for the first nodes");
        }
        return new Finding(false, "Settled", "nothing is being changed");
    }

    /** Whether there is nothing left to do, but what is repeated. */
    private boolean isDone() {
        MembershipStep step = decision.membership();
        RolloutStep rollout = decision.rollout();
        return (step == null || step.step() == ChangePhase.None) && (rollout == null || rollout.isDone());
    }

    private Finding scaling() {
        MembershipStep step = decision.membership();
        if (observed.spec().paused() && step != null && step.publication() != null) {
            return new Finding(
                    topology != null && topology.isChanging(), "Paused", "spec.paused is true: nothing is done");
        }
        return step == null
                ? new Finding(false, "Settled", "no members are changing")
                : new Finding(step.step().isUnderWay(), step.reason(), step.message());
    }

    private Finding ready() {
        if (!valid().holds()) {
            return new Finding(false, valid().reason(), valid().message());
        } else if (degraded().holds()) {
            return new Finding(false, degraded().reason(), degraded().message());
        } else if (!decision.available()) {
            return new Finding(false, available().reason(), available().message());
        } else if (progressing().holds()) {
            return new Finding(false, progressing().reason(), progressing().message());
        } else if (!allServe()) {
            return new Finding(false, "MemberDown", "not all members can be counted on");
        } else if (observed.spec().paused() && (decision.isHeld() || !isDone())) {
            return new Finding(false, "Paused", "spec.paused is true, and not all of the spec is so");
        }
        return new Finding(true, "AsAsked", "all of the spec is so");
    }

    private Condition condition(String type, Finding finding) {
        List<Condition> before = previous == null ? List.of() : previous.conditions();
        return condition(type, finding, generation, before, now);
    }
}
