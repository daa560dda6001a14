package dev.kvorum.operator.dependents;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;

/**
 * Access of the peers in {@code spec.monitoring.from} to the management port. Policies add up, so it only opens what {@link PeerPolicy} closes.
 *
 * <p>It is an object of its own because the API server refuses a whole policy for one bad peer: without this one the ports stay closed.
 */
public final class MonitoringPolicy {
    private MonitoringPolicy() {}

    public static NetworkPolicy of(KvorumCluster cluster, ClusterName name) {
        return new NetworkPolicyBuilder()
                .withMetadata(Metadata.owned(cluster, name, name.monitoring()))
                .withNewSpec()
                .withNewPodSelector()
                .withMatchLabels(Labels.selecting(name))
                .endPodSelector()
                .withPolicyTypes("Ingress")
                .addAllToIngress(
                        PeerPolicy.management(cluster.getSpec().monitoring().from()))
                .endSpec()
                .build();
    }
}
