package dev.kvorum.operator.dependents;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPortBuilder;
import java.util.Map;

/** The peers' port has no authentication: only members and the operator reach it, where a network plugin enforces this. */
public final class PeerPolicy {
    private PeerPolicy() {}

    public static NetworkPolicy of(KvorumCluster cluster, ClusterName name) {
        return new NetworkPolicyBuilder()
                .withMetadata(Metadata.owned(cluster, name, name.peers()))
                .withNewSpec()
                .withNewPodSelector()
                .withMatchLabels(Labels.selecting(name))
                .endPodSelector()
                .withPolicyTypes("Ingress")
                .addNewIngress()
                .withPorts(port(ClusterName.API_PORT), port(ClusterName.MANAGEMENT_PORT))
                .endIngress()
                .addNewIngress()
                .withPorts(port(ClusterName.PEER_PORT))
                .addNewFrom()
                .withNewPodSelector()
                .withMatchLabels(Labels.selecting(name))
                .endPodSelector()
                .endFrom()
                .addNewFrom()
                .withNewNamespaceSelector()
                .endNamespaceSelector()
                .withNewPodSelector()
                .withMatchLabels(Map.of(Labels.NAME, Labels.OPERATOR))
                .endPodSelector()
                .endFrom()
                .endIngress()
                .endSpec()
                .build();
    }

    private static NetworkPolicyPort port(int port) {
        return new NetworkPolicyPortBuilder()
                .withProtocol("TCP")
                .withPort(new IntOrString(port))
                .build();
    }
}
