package dev.kvorum.operator.dependents;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;

/** What everything of a cluster says about itself. */
final class Metadata {
    private Metadata() {}

    /** Of something that goes with its cluster. Kubernetes removes it, so no finalizer has to. */
    static ObjectMeta owned(KvorumCluster cluster, ClusterName name, String object) {
        return kept(name, object).edit().withOwnerReferences(owner(cluster)).build();
    }

    /** Of something that outlives its cluster. */
    static ObjectMeta kept(ClusterName name, String object) {
        return new ObjectMetaBuilder()
                .withName(object)
                .withNamespace(name.namespace())
                .withLabels(Labels.of(name))
                .build();
    }

    /** Names a cluster as the owner of something that another controller makes and manages, and that never delays the end of the cluster. */
    static OwnerReference follower(KvorumCluster cluster) {
        return owner(cluster)
                .edit()
                .withController(false)
                .withBlockOwnerDeletion(false)
                .build();
    }

    private static OwnerReference owner(KvorumCluster cluster) {
        return new OwnerReferenceBuilder()
                .withApiVersion(cluster.getApiVersion())
                .withKind(cluster.getKind())
                .withName(cluster.getMetadata().getName())
                .withUid(cluster.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }
}
