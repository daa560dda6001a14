package dev.kvorum.operator.dependents;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.Retention;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.List;
import java.util.stream.Stream;

/**
 * Owners of the volume claims of a cluster. With {@code retention: Delete} the cluster owns them, and Kubernetes deletes them with it. With {@code Retain} nobody does.
 * A StatefulSet never owns them: it can be deleted and made anew, and its volumes must survive that.
 */
public final class VolumeOwners {
    private VolumeOwners() {}

    /**
     * The owners that a claim should have.
     *
     * @param present the owners that it has; those that are neither this cluster nor a StatefulSet stay
     */
    public static List<OwnerReference> of(KvorumCluster cluster, List<OwnerReference> present) {
        Stream<OwnerReference> others = present.stream().filter(owner -> !isSet(owner) && !isCluster(cluster, owner));
        Stream<OwnerReference> own = cluster.getSpec().storage().retention() == Retention.Delete
                ? Stream.of(Metadata.follower(cluster))
                : Stream.empty();
        return Stream.concat(others, own).toList();
    }

    public static boolean isSet(OwnerReference owner) {
        return "StatefulSet".equals(owner.getKind());
    }

    public static boolean isCluster(KvorumCluster cluster, OwnerReference owner) {
        return cluster.getMetadata().getUid().equals(owner.getUid());
    }

    /** Whether it is an earlier cluster of this name: Kubernetes is about to delete what belongs to that. */
    public static boolean isFormerCluster(KvorumCluster cluster, OwnerReference owner) {
        return cluster.getKind().equals(owner.getKind()) && !isCluster(cluster, owner);
    }
}
