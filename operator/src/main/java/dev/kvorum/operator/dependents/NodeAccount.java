package dev.kvorum.operator.dependents;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.cluster.ClusterName;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;

/** Who the nodes are to Kubernetes. They ask nothing of it, so they get no token and no role. */
public final class NodeAccount {
    private NodeAccount() {}

    public static ServiceAccount of(KvorumCluster cluster, ClusterName name) {
        return new ServiceAccountBuilder()
                .withMetadata(Metadata.owned(cluster, name, name.name()))
                .withAutomountServiceAccountToken(false)
                .build();
    }
}
