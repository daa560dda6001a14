package dev.kvorum.operator.dependents;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;

/** One voluntary eviction at a time: with three copies, every key keeps its quorum. */
public final class DisruptionBudget {
    private DisruptionBudget() {}

    /** @param spare how many pods that serve may be evicted at a time, 0 or 1 */
    public static PodDisruptionBudget of(KvorumCluster cluster, ClusterName name, int spare) {
        return new PodDisruptionBudgetBuilder()
                .withMetadata(Metadata.owned(cluster, name, name.name()))
                .withNewSpec()
                .withMaxUnavailable(new IntOrString(spare))
                .withNewSelector()
                .withMatchLabels(Labels.selecting(name))
                .endSelector()
                // A pod that does not serve anyway may always be evicted, or a broken one could keep a machine from
                // being drained.
                .withUnhealthyPodEvictionPolicy("AlwaysAllow")
                .endSpec()
                .build();
    }
}
