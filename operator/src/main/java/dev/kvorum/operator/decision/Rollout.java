package dev.kvorum.operator.decision;

import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.decision.Observed.PodState;
import dev.kvorum.operator.decision.Observed.SetState;
import dev.kvorum.operator.decision.Observed.VolumeState;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Replaces pods that are not as the spec says, one at a time. StatefulSets replace none by themselves ({@code OnDelete}).
 *
 * <ol>
 *   <li>Where a controller has not seen the latest spec, nobody knows yet which pods are outdated; where a StatefulSet is away, nobody would make the next pod: wait.
 *   <li>An outdated pod that is in trouble or can't be asked, and is not ready, is replaced at once: it costs nothing, and it is how a corrected spec gets to a pod that a
 *       bad one has broken. One that is not ready for a moment goes when no other is ending; one that
 *       is ready, and can't be counted on all the same, only when all are ready, and no members change.
 *   <li>A pod that is as the spec says but does not serve stops everything: a bad image gets no further than the first pod.
 *   <li>A pod whose volume somebody is deleting is replaced, so that the volume can go and a new one be filled from the others. At once, if it does not run.
 *   <li>While the members change, no pod that serves is replaced.
 *   <li>Of the outdated pods, one without which every partition keeps its quorum is replaced; the one with the highest ordinal first. Never while another member is away or
 *       lags, whatever the quorums would allow.
 * </ol>
 */
final class Rollout {
    static final String AWAY =
            "waiting for the StatefulSets of %s, which are not there or are being deleted, to be made anew";
    static final String NOT_SEEN = "waiting for Kubernetes to take the StatefulSets over";

    private final Observed observed;
    private final Topology topology;
    private final Availability availability;

    Rollout(Observed observed, Topology topology, Availability availability) {
        this.observed = observed;
        this.topology = topology;
        this.availability = availability;
    }

    RolloutStep next() {
        Set<String> away = observed.zonesWithoutSet(topology);
        if (!away.isEmpty()) {
            return RolloutStep.waiting(AWAY.formatted(String.join(", ", away)));
        }
        if (observed.sets().values().stream().anyMatch(set -> !set.seen())) {
            return RolloutStep.waiting(NOT_SEEN);
        }
        Optional<RolloutStep> onlyCopy = onlyCopy();
        if (onlyCopy.isPresent()) {
            return onlyCopy.get();
        }
        List<Member> outdated = topology.members().stream()
                .filter(this::isOutdated)
                .sorted(Comparator.comparingInt((Member member) -> ClusterName.ordinal(member.id()))
                        .reversed()
                        .thenComparing(Member::id))
                .toList();
        return replaceBroken(outdated).orElseGet(() -> replaceServing(outdated));
    }

    /** A claim that is being deleted goes when its pod does, and with it the only copy of what its member holds: that is for a person to decide. */
    private Optional<RolloutStep> onlyCopy() {
        if (topology.replicationFactor() > 1) {
            return Optional.empty();
        }
        return topology.members().stream()
                .filter(this::losesVolume)
                .map(Member::id)
                .findFirst()
                .map(id -> RolloutStep.stuck(
                        "LastCopy",
                        "somebody has deleted the volume claim of " + id + ", which holds the only copy of its data"
                                + " (spec.replicationFactor is 1). Its pod is kept, as the volume goes with it, and no pod is replaced"
                                + " meanwhile: copy what is there. To give it up: "
                                + observed.commands().deletePod(id)));
    }

    /** What a person can do about the first outdated member that is ready and can't be asked, in words: a change waits for it, and it is not replaced while one runs. */
    Optional<String> remedy() {
        return topology.members().stream()
                .filter(member -> isOutdated(member)
                        && pod(member).ready()
                        && observed.report(member).isEmpty())
                .findFirst()
                .map(member ->
                        member.id() + " is ready, outdated and can't be asked: if its former spec is the reason, "
                                + observed.commands().deletePod(member.id()) + " gives it the present one");
    }

    private Optional<RolloutStep> replaceBroken(List<Member> outdated) {
        Optional<RolloutStep> starting = observed.pods().entrySet().stream()
                .filter(pod -> isStarting(pod.getKey())
                        && !pod.getValue().terminating()
                        && isOutdated(pod.getKey(), pod.getValue()))
                .findFirst()
                .map(pod -> RolloutStep.replacing(pod.getKey(), pod.getValue(), "it is no member yet, and outdated"));
        return starting.or(() -> outdated.stream()
                .filter(this::isBroken)
                .findFirst()
                .map(member -> RolloutStep.replacing(
                        member.id(), pod(member), "it is outdated, and does not run as it should anyway")));
    }

    /** Whether it is to become a member. Former ones end when their volumes are marked, whatever their pods look like. */
    private boolean isStarting(String id) {
        VolumeState volume = observed.volumes().get(id);
        return topology.member(id).isEmpty()
                && (volume == null
                        || (volume.removed() == null
                                && (volume.joined() == null || volume.joined() > topology.epoch())));
    }

    /** Whether nothing is lost if it ends: it is known to be in trouble, or nobody can ask it. One that is not ready for a moment may be asked by other members. */
    private boolean isBroken(Member member) {
        return !pod(member).ready()
                && !pod(member).terminating()
                && (observed.report(member).isEmpty()
                        || observed.trouble(member.id()).isPresent());
    }

    private RolloutStep replaceServing(List<Member> outdated) {
        List<Member> deleted =
                topology.members().stream().filter(this::losesVolume).toList();
        if (outdated.isEmpty() && deleted.isEmpty()) {
            return RolloutStep.DONE;
        }
        Optional<Member> dead = deleted.stream()
                .filter(member -> !observed.isAlive(member.id()) && !pod(member).terminating())
                .findFirst();
        if (dead.isPresent()) {
            // Also while another is rebuilt, which needs this one as well.
            return RolloutStep.replacing(
                    dead.get().id(), pod(dead.get()), "its volume was deleted, and it does not run: it is rebuilt");
        }
        Optional<Member> broken = topology.members().stream()
                .filter(member -> !isHealthy(member) && !isOutdated(member))
                .findFirst();
        if (broken.isPresent() && !deleted.contains(broken.get())) {
            return blockedBy(broken.get());
        }
        Optional<String> ending = ending();
        if (ending.isPresent()) {
            return awaitEnd(ending.get());
        }
        if (!deleted.isEmpty()) {
            return replaceFirst(deleted, "its volume was deleted, it is rebuilt from the others");
        }
        Optional<Member> uncounted = uncounted(outdated);
        if (uncounted.isPresent()) {
            return RolloutStep.replacing(
                    uncounted.get().id(), pod(uncounted.get()), "it is outdated, and can't be counted on anyway");
        }
        if (topology.isChanging()) {
            return RolloutStep.waiting("waiting for the change of the members to be finished");
        }
        return replaceFirst(outdated, "it is outdated");
    }

    /**
     * Whom the former spec may keep from being counted on: a corrected one has to get there. One that is ready may serve all the same, and only this operator can't ask
     * it, for a moment or for good: so nobody else may be known to be away.
     */
    private Optional<Member> uncounted(List<Member> outdated) {
        return outdated.stream()
                .filter(member -> !pod(member).ready())
                .findFirst()
                .or(() -> outdated.stream()
                        .filter(member -> !topology.isChanging()
                                && !availability.serving().contains(member.id())
                                && othersMayServe(member))
                        .findFirst());
    }

    /** Whether all others are ready, and none that can be asked lacks data. */
    private boolean othersMayServe(Member member) {
        return topology.members().stream()
                .filter(other -> !other.equals(member))
                .allMatch(other -> observed.pod(other).map(PodState::ready).orElse(false)
                        && observed.report(other)
                                .map(report -> report.rebuilding() == 0)
                                .orElse(true));
    }

    private RolloutStep replaceFirst(List<Member> members, String why) {
        return members.stream()
                .filter(member -> !pod(member).ready() || (othersServe(member) && availability.canSpare(member.id())))
                .findFirst()
                .map(member -> RolloutStep.replacing(member.id(), pod(member), why))
                .orElseGet(() -> RolloutStep.waiting(
                        "waiting until all others serve, and every partition keeps its quorum without "
                                + members.getFirst().id()));
    }

    private boolean isHealthy(Member member) {
        return availability.healthy().contains(member.id());
    }

    private boolean othersServe(Member member) {
        return topology.members().stream()
                .allMatch(
                        other -> other.equals(member) || availability.healthy().contains(other.id()));
    }

    private RolloutStep awaitEnd(String member) {
        String message = "no further pod is replaced until that of " + member + " has ended and the next one serves";
        return observed.trouble(member)
                .map(trouble -> RolloutStep.stuck(message + ": " + trouble))
                .orElseGet(() -> RolloutStep.waiting(message));
    }

    /** A member whose pod still ends: until the next one serves, that is the one that is away. */
    private Optional<String> ending() {
        return topology.members().stream()
                .filter(member ->
                        observed.pod(member).map(PodState::terminating).orElse(false))
                .map(Member::id)
                .findFirst();
    }

    private RolloutStep blockedBy(Member broken) {
        Optional<String> trouble = observed.trouble(broken.id());
        String message = "no further pod is replaced until " + broken.id() + " serves: "
                + trouble.orElseGet(() -> observed.pod(broken)
                        .map(pod -> pod.ready() ? "it is not level with the others yet" : "it is not ready")
                        .orElse("it has no pod"));
        return trouble.isPresent() ? RolloutStep.stuck(message) : RolloutStep.waiting(message);
    }

    private boolean losesVolume(Member member) {
        return observed.volume(member).map(VolumeState::terminating).orElse(false)
                && observed.pod(member).isPresent();
    }

    private boolean isOutdated(Member member) {
        return observed.pod(member).map(pod -> isOutdated(member.id(), pod)).orElse(false);
    }

    private boolean isOutdated(String member, PodState pod) {
        return observed.name()
                .zoneOf(member, observed.sets().keySet())
                .map(zone -> observed.sets().get(zone))
                .map(SetState::revision)
                .filter(revision -> !revision.equals(pod.revision()))
                .isPresent();
    }

    private PodState pod(Member member) {
        return observed.pod(member).orElseThrow();
    }
}
