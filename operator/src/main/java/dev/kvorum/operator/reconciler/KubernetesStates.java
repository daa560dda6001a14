package dev.kvorum.operator.reconciler;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.cluster.Labels;
import dev.kvorum.operator.decision.Observed.PodState;
import dev.kvorum.operator.decision.Observed.SetState;
import dev.kvorum.operator.decision.Observed.VolumeOwner;
import dev.kvorum.operator.decision.Observed.VolumeState;
import dev.kvorum.operator.decision.Observed.VolumeState.Expansion;
import dev.kvorum.operator.decision.Observed.VolumeState.Marks;
import dev.kvorum.operator.dependents.VolumeOwners;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetPersistentVolumeClaimRetentionPolicy;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What objects of Kubernetes say, as far as decisions need it. */
final class KubernetesStates {
    private static final String REVISION = "controller-revision-hash";
    // What a container that has just been made waits for is no trouble.
    private static final Set<String> STARTING = Set.of("ContainerCreating", "PodInitializing");
    private static final Pattern EPOCH = Pattern.compile("\\d{1,18}");
    private static final Duration SCHEDULE_MAX = Duration.ofSeconds(30);
    private static final Duration READY_MAX = Duration.ofMinutes(5);
    private static final Duration END_MAX = Duration.ofMinutes(5); // After the time that it was given.

    private KubernetesStates() {}

    /** @param claims those of its cluster, its own among them */
    static SetState set(StatefulSet set, List<PersistentVolumeClaim> claims) {
        StatefulSetStatus status = set.getStatus();
        Long observed = status == null ? null : status.getObservedGeneration();
        Long generation = set.getMetadata().getGeneration();
        boolean seen = status != null && status.getUpdateRevision() != null && Objects.equals(observed, generation);
        return new SetState(
                set.getSpec().getReplicas(),
                seen,
                observed != null && generation != null && observed > generation,
                seen ? status.getUpdateRevision() : "",
                size(set.getSpec().getVolumeClaimTemplates().getFirst()),
                keepsVolumes(set, claims),
                set.getMetadata().getResourceVersion());
    }

    /**
     * Whether the volumes of a StatefulSet's pods stay when it is deleted: not only by what it says, but none of them belongs to it, which its controller sees to after it
     * has read that.
     */
    static boolean keepsVolumes(StatefulSet set, List<PersistentVolumeClaim> claims) {
        StatefulSetPersistentVolumeClaimRetentionPolicy policy =
                set.getSpec().getPersistentVolumeClaimRetentionPolicy();
        return (policy == null || !"Delete".equals(policy.getWhenDeleted()))
                && claims.stream()
                        .filter(claim -> isOfPod(set, claim.getMetadata().getName()))
                        .flatMap(claim -> claim.getMetadata().getOwnerReferences().stream())
                        .noneMatch(owner -> owner.getKind().equals("StatefulSet")
                                && owner.getName().equals(set.getMetadata().getName()));
    }

    private static boolean isOfPod(StatefulSet set, String claim) {
        String template =
                set.getSpec().getVolumeClaimTemplates().getFirst().getMetadata().getName();
        return IntStream.range(0, set.getSpec().getReplicas())
                .anyMatch(ordinal ->
                        claim.equals(template + "-" + set.getMetadata().getName() + "-" + ordinal));
    }

    static PodState pod(Pod pod, Instant now) {
        ObjectMeta metadata = pod.getMetadata();
        PodStatus status = pod.getStatus();
        String phase = status == null ? "Pending" : String.valueOf(status.getPhase());
        return new PodState(
                metadata.getUid(),
                metadata.getLabels().getOrDefault(REVISION, ""),
                condition(status, "Ready")
                        .map(ready -> ready.getStatus().equals("True"))
                        .orElse(false),
                metadata.getDeletionTimestamp() != null,
                !phase.equals("Pending") || !(isUnbound(pod) || isReportedWaiting(status)),
                phase.equals("Failed") || phase.equals("Succeeded"),
                metadata.getDeletionTimestamp() == null ? trouble(pod, now) : lingering(metadata, now));
    }

    /** What ends on purpose says that it was ended: that is no trouble, unless it does not come to an end. */
    private static @Nullable String lingering(ObjectMeta metadata, Instant now) {
        return isBefore(metadata.getDeletionTimestamp(), now.minus(END_MAX))
                ? "it should have ended more than " + END_MAX.toMinutes()
                        + " minutes ago: its machine may be lost or cut off"
                : null;
    }

    /** Whether it has no machine: then no kubelet knows of it. */
    private static boolean isUnbound(Pod pod) {
        String machine = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
        return machine == null || machine.isEmpty();
    }

    /**
     * Whether a kubelet has told of its containers that all wait for their first start. One that has told nothing yet may have started them, and be cut off.
     */
    private static boolean isReportedWaiting(@Nullable PodStatus status) {
        return status != null
                && !status.getContainerStatuses().isEmpty()
                && status.getContainerStatuses().stream().allMatch(KubernetesStates::waitsForItsFirstStart);
    }

    private static boolean waitsForItsFirstStart(ContainerStatus container) {
        ContainerState state = container.getState();
        ContainerState last = container.getLastState();
        return state != null
                && state.getWaiting() != null
                && (last == null || (last.getRunning() == null && last.getTerminated() == null))
                && (container.getRestartCount() == null || container.getRestartCount() == 0);
    }

    static VolumeState volume(PersistentVolumeClaim claim, KvorumCluster cluster) {
        ObjectMeta metadata = claim.getMetadata();
        return new VolumeState(
                metadata.getUid(),
                metadata.getResourceVersion(),
                metadata.getDeletionTimestamp() != null,
                claim.getStatus() != null && "Bound".equals(claim.getStatus().getPhase()),
                marks(metadata),
                new Expansion(size(claim), capacity(claim), expansion(claim)),
                owner(metadata.getOwnerReferences(), cluster));
    }

    private static VolumeOwner owner(List<OwnerReference> owners, KvorumCluster cluster) {
        boolean goesWithCluster = owners.stream().anyMatch(owner -> VolumeOwners.isCluster(cluster, owner));
        if (!goesWithCluster && owners.stream().anyMatch(owner -> VolumeOwners.isFormerCluster(cluster, owner))) {
            return VolumeOwner.FORMER_CLUSTER;
        } else if (owners.stream().anyMatch(VolumeOwners::isSet)) {
            return VolumeOwner.SET;
        }
        return goesWithCluster ? VolumeOwner.CLUSTER : VolumeOwner.NOBODY;
    }

    private static String size(PersistentVolumeClaim claim) {
        return String.valueOf(claim.getSpec().getResources().getRequests().get("storage"));
    }

    private static @Nullable String capacity(PersistentVolumeClaim claim) {
        Quantity storage = claim.getStatus() == null || claim.getStatus().getCapacity() == null
                ? null
                : claim.getStatus().getCapacity().get("storage");
        return storage == null ? null : storage.toString();
    }

    private static Marks marks(ObjectMeta metadata) {
        String unreadable = Stream.of(Labels.JOINED, Labels.REMOVED)
                .filter(annotation -> value(metadata, annotation) != null && epoch(metadata, annotation) == null)
                .map(annotation -> "the annotation " + annotation + " of the volume claim " + metadata.getName()
                        + " is \""
                        + value(metadata, annotation)
                        + "\", but must be the number of an epoch: it says whose the volume is, and the operator alone writes it."
                        + " The volume is left alone until it is corrected: `kubectl annotate pvc " + metadata.getName()
                        + " -n " + metadata.getNamespace() + " --overwrite " + annotation + "=EPOCH`")
                .findFirst()
                .orElse(null);
        return new Marks(epoch(metadata, Labels.JOINED), epoch(metadata, Labels.REMOVED), unreadable);
    }

    private static @Nullable String value(ObjectMeta metadata, String annotation) {
        return metadata.getAnnotations() == null
                ? null
                : metadata.getAnnotations().get(annotation);
    }

    /** Null where it is not there, or no number. */
    private static @Nullable Long epoch(ObjectMeta metadata, String annotation) {
        String value = value(metadata, annotation);
        return value != null && EPOCH.matcher(value).matches() ? Long.valueOf(value) : null;
    }

    /** Why it does not run: what its container waits for, why it was ended, or why it has no machine; or that it runs and has not become ready in all that time. */
    private static @Nullable String trouble(Pod pod, Instant now) {
        String trouble = pod.getStatus() == null ? null : trouble(pod.getStatus(), now);
        return trouble == null && isUnready(pod, now)
                ? "it has not been ready for more than " + READY_MAX.toMinutes() + " minutes: see its log"
                : trouble;
    }

    private static boolean isUnready(Pod pod, Instant now) {
        Optional<PodCondition> ready = condition(pod.getStatus(), "Ready");
        String since = ready.map(PodCondition::getLastTransitionTime)
                .orElseGet(() -> pod.getMetadata().getCreationTimestamp());
        return ready.filter(condition -> condition.getStatus().equals("True")).isEmpty()
                && isBefore(since, now.minus(READY_MAX));
    }

    /** @param time as Kubernetes writes it; null where it says nothing, which is before nothing */
    private static boolean isBefore(@Nullable String time, Instant limit) {
        return time != null && Instant.parse(time).isBefore(limit);
    }

    private static @Nullable String trouble(PodStatus status, Instant now) {
        Stream<String> containers = status.getContainerStatuses().stream()
                .map(KubernetesStates::trouble)
                .flatMap(Optional::stream);
        Stream<String> scheduling = condition(status, "PodScheduled")
                // Not where the scheduler failed in itself, which tries again at once, nor where it waits for a volume
                // that is being made.
                .filter(scheduled -> scheduled.getStatus().equals("False")
                        && "Unschedulable".equals(scheduled.getReason())
                        && isBefore(scheduled.getLastTransitionTime(), now.minus(SCHEDULE_MAX)))
                .map(scheduled -> words(scheduled.getReason(), scheduled.getMessage()))
                .stream();
        return Stream.concat(containers, scheduling).findFirst().orElse(null);
    }

    private static Optional<String> trouble(ContainerStatus container) {
        ContainerState state = container.getState();
        ContainerStateWaiting waiting = state == null ? null : state.getWaiting();
        // One that has been made and not started says nothing.
        if (waiting != null && waiting.getReason() != null && !STARTING.contains(waiting.getReason())) {
            return Optional.of(words(waiting.getReason(), waiting.getMessage()));
        }
        return state != null && state.getTerminated() != null
                ? Optional.of(words(
                        state.getTerminated().getReason(), state.getTerminated().getMessage()))
                : Optional.empty();
    }

    private static @Nullable String expansion(PersistentVolumeClaim claim) {
        return claim.getStatus() == null
                ? null
                : claim.getStatus().getConditions().stream()
                        .filter(condition -> condition.getType().endsWith("ResizeError")
                                && condition.getStatus().equals("True"))
                        .map(condition -> words(condition.getReason(), condition.getMessage()))
                        .findFirst()
                        .orElse(null);
    }

    private static Optional<PodCondition> condition(@Nullable PodStatus status, String type) {
        return status == null
                ? Optional.empty()
                : status.getConditions().stream()
                        .filter(condition -> condition.getType().equals(type))
                        .findFirst();
    }

    private static String words(@Nullable String reason, @Nullable String message) {
        String word = reason == null ? "unknown" : reason;
        return message == null || message.isBlank() ? word : word + ", " + message;
    }
}
