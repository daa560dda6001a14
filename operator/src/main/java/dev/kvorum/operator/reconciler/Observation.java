package dev.kvorum.operator.reconciler;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import dev.kvorum.operator.cluster.Seat;
import dev.kvorum.operator.decision.Observed;
import dev.kvorum.operator.decision.Observed.Answers;
import dev.kvorum.operator.decision.Observed.Desired;
import dev.kvorum.operator.decision.Observed.PodState;
import dev.kvorum.operator.decision.Observed.Published;
import dev.kvorum.operator.decision.Observed.Resources;
import dev.kvorum.operator.decision.Observed.SetState;
import dev.kvorum.operator.decision.Observed.VolumeState;
import dev.kvorum.operator.dependents.TopologyMap;
import dev.kvorum.operator.dependents.VolumeOwners;
import dev.kvorum.operator.node.ClusterNodes;
import dev.kvorum.topology.InvalidTopologyException;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a cluster: Kubernetes from the caches of the watches, the topology from the API server itself, and the nodes.
 *
 * @param observed what decisions are made from
 * @param map the ConfigMap that holds the topology, to be replaced only if it is still this one; null where there is none
 */
record Observation(Observed observed, @Nullable ConfigMap map) {
    static Observation of(KvorumCluster cluster, Context<?> context, ClusterNodes nodes) {
        ClusterName name = new ClusterName(
                cluster.getMetadata().getNamespace(),
                cluster.getMetadata().getName(),
                !cluster.getSpec().zones().isEmpty());
        ConfigMap map = context.getClient()
                .configMaps()
                .inNamespace(name.namespace())
                .withName(name.topology())
                .get();
        boolean isMapTaken = map != null && !isOurs(map, name, cluster);
        Published published = isMapTaken ? null : published(map);
        Map<String, SetState> sets = sets(name, context);
        Map<String, PodState> pods = pods(name, context);
        Map<String, String> uncreated = new PodCreation(context.getClient(), name).failures(sets, pods.keySet());
        Map<String, VolumeState> volumes = volumes(cluster, name, context);
        Set<String> strangers =
                strangers(cluster, name, published, pods.keySet(), volumes.keySet(), context.getClient());
        Observed observed = new Observed(
                desired(name, cluster),
                new Resources(published, isMapTaken, sets, pods, uncreated, volumes, strangers),
                Answers.none());
        return new Observation(new NodePoll(nodes).complete(observed), map);
    }

    private static Desired desired(ClusterName name, KvorumCluster cluster) {
        Map<String, String> annotations =
                Objects.requireNonNullElse(cluster.getMetadata().getAnnotations(), Map.of());
        return new Desired(
                name,
                cluster.getSpec(),
                annotations.get(Labels.APPROVAL),
                ids(annotations.getOrDefault(Labels.GONE, "")),
                annotations.get(Labels.ACCEPTED_LOSS));
    }

    /** What stands between commas. */
    static Set<String> ids(String commas) {
        return Stream.of(commas.split(",", -1))
                .map(String::strip)
                .filter(id -> !id.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** By its labels or its owner: earlier operators and backups may have kept one of them only. */
    private static boolean isOurs(ConfigMap map, ClusterName name, KvorumCluster cluster) {
        return Labels.areOf(name, map)
                || map.getMetadata().getOwnerReferences().stream()
                        .anyMatch(owner -> VolumeOwners.isCluster(cluster, owner));
    }

    private static @Nullable Published published(@Nullable ConfigMap map) {
        if (map == null) {
            return null;
        }
        try {
            return TopologyMap.topology(map)
                    .map(topology -> new Published(topology, TopologyMap.isSwitched(map)))
                    .orElse(null);
        } catch (InvalidTopologyException e) {
            throw new InvalidTopologyException(
                    "the ConfigMap " + map.getMetadata().getName() + " can't be read: " + e.getMessage(), e);
        }
    }

    private static Map<String, SetState> sets(ClusterName name, Context<?> context) {
        List<PersistentVolumeClaim> claims = context.getSecondaryResourcesAsStream(PersistentVolumeClaim.class)
                .toList();
        Map<String, SetState> sets = new HashMap<>();
        context.getSecondaryResourcesAsStream(StatefulSet.class)
                .filter(set -> set.getMetadata().getDeletionTimestamp() == null && isNamed(name, set))
                .forEach(set ->
                        sets.put(set.getMetadata().getLabels().get(Labels.ZONE), KubernetesStates.set(set, claims)));
        return sets;
    }

    /** Whether it is the one of its zone: who copies one copies its labels. */
    private static boolean isNamed(ClusterName name, StatefulSet set) {
        String zone = set.getMetadata().getLabels().get(Labels.ZONE);
        return zone != null && name.set(zone).equals(set.getMetadata().getName());
    }

    private static Map<String, PodState> pods(ClusterName name, Context<?> context) {
        Instant now = Instant.now();
        Map<String, PodState> pods = new HashMap<>();
        context.getSecondaryResourcesAsStream(Pod.class)
                .filter(pod -> name.isMember(pod.getMetadata().getName()))
                .forEach(pod -> pods.put(pod.getMetadata().getName(), KubernetesStates.pod(pod, now)));
        return pods;
    }

    /** Asks for claims by name, which the watch by labels can't see; only of those that are to become members and have nothing yet. */
    private static Set<String> strangers(
            KvorumCluster cluster,
            ClusterName name,
            @Nullable Published published,
            Set<String> pods,
            Set<String> volumes,
            KubernetesClient client) {
        return Seat.of(cluster.getSpec()).stream()
                .map(name::member)
                .filter(member ->
                        published == null || published.topology().member(member).isEmpty())
                .filter(member -> !pods.contains(member) && !volumes.contains(member))
                .filter(member -> {
                    PersistentVolumeClaim claim = client.persistentVolumeClaims()
                            .inNamespace(name.namespace())
                            .withName(name.volume(member))
                            .get();
                    return claim != null && !Labels.areOf(name, claim);
                })
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Map<String, VolumeState> volumes(KvorumCluster cluster, ClusterName name, Context<?> context) {
        String prefix = name.volume("");
        Map<String, VolumeState> volumes = new HashMap<>();
        context.getSecondaryResourcesAsStream(PersistentVolumeClaim.class)
                .filter(claim -> claim.getMetadata().getName().startsWith(prefix)
                        && name.isMember(claim.getMetadata().getName().substring(prefix.length())))
                .forEach(claim -> volumes.put(
                        claim.getMetadata().getName().substring(prefix.length()),
                        KubernetesStates.volume(claim, cluster)));
        return volumes;
    }
}
