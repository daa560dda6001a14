package dev.kvorum.operator.dependents;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.util.Map;
import java.util.TreeMap;

/** The nodes of a zone, and their volumes. */
public final class NodeSet {
    private static final int REVISIONS = 3;

    private NodeSet() {}

    /**
     * @param volumeSize that of new volumes: what stands there already, as it can't be changed
     */
    public static StatefulSet of(
            KvorumCluster cluster, ClusterName name, String zone, int replicas, String volumeSize) {
        KvorumClusterSpec spec = cluster.getSpec();
        return new StatefulSetBuilder()
                .withMetadata(Metadata.owned(cluster, name, name.set(zone))
                        .edit()
                        .addToLabels(Labels.ZONE, zone)
                        .build())
                .withNewSpec()
                .withReplicas(replicas)
                .withServiceName(name.peers())
                // All start at once: a cluster in which none runs would otherwise wait for its first node for ever.
                .withPodManagementPolicy("Parallel")
                .withRevisionHistoryLimit(REVISIONS)
                .withNewUpdateStrategy()
                // Which pod is next, and when, is the operator's to say: it knows quorums.
                .withType("OnDelete")
                .endUpdateStrategy()
                .withNewPersistentVolumeClaimRetentionPolicy()
                // Never with the StatefulSet, which can be made anew: VolumeOwners says with what they go.
                .withWhenDeleted("Retain")
                // Never by Kubernetes: only the operator knows whether others hold the data.
                .withWhenScaled("Retain")
                .endPersistentVolumeClaimRetentionPolicy()
                .withNewSelector()
                .withMatchLabels(Labels.selecting(name, zone))
                .endSelector()
                .withTemplate(PodTemplate.of(name, spec, zone))
                .withVolumeClaimTemplates(volume(name, spec, zone, volumeSize))
                .endSpec()
                .build();
    }

    private static PersistentVolumeClaim volume(
            ClusterName name, KvorumClusterSpec spec, String zone, String volumeSize) {
        Map<String, String> labels = new TreeMap<>(Labels.of(name));
        labels.put(Labels.ZONE, zone);
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName(name.volumeTemplate())
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withStorageClassName(spec.storage().storageClassName())
                .withNewResources()
                .addToRequests("storage", new Quantity(volumeSize))
                .endResources()
                .endSpec()
                .build();
    }
}
