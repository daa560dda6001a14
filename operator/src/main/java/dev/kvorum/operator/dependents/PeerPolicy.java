package dev.kvorum.operator.dependents;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRuleBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPortBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who reaches which port of a node, where a network plugin enforces it. Neither the members' port nor the management port has authentication:
 *
 * <pre>
 * api         everybody
 * peer        members
 * management  the operator, and the peers that {@link MonitoringPolicy} adds
 * </pre>
 *
 * <p>Nothing in it is a user's own: the API server never refuses it for a spec.
 *
 * <p>The kubelet probes the management port and needs no rule: Kubernetes always allows the traffic of a pod's own machine.
 */
public final class PeerPolicy {
    private PeerPolicy() {}

    /** @param home the operator's own namespace; empty where it runs outside of Kubernetes, and is not let in by this */
    public static NetworkPolicy of(KvorumCluster cluster, ClusterName name, Optional<String> home) {
        return new NetworkPolicyBuilder()
                .withMetadata(Metadata.owned(cluster, name, name.peers()))
                .withNewSpec()
                .withNewPodSelector()
                .withMatchLabels(Labels.selecting(name))
                .endPodSelector()
                .withPolicyTypes("Ingress")
                .addNewIngress()
                .withPorts(port(ClusterName.API_PORT))
                .endIngress()
                .addNewIngress()
                .withPorts(port(ClusterName.PEER_PORT))
                .withFrom(members(name))
                .endIngress()
                .addAllToIngress(management(operator(home).toList()))
                .endSpec()
                .build();
    }

    /** No rule at all where nobody is let in: a rule without peers lets in everybody. */
    static List<NetworkPolicyIngressRule> management(List<NetworkPolicyPeer> peers) {
        return peers.isEmpty()
                ? List.of()
                : List.of(new NetworkPolicyIngressRuleBuilder()
                        .withPorts(port(ClusterName.MANAGEMENT_PORT))
                        .withFrom(peers)
                        .build());
    }

    private static NetworkPolicyPeer members(ClusterName name) {
        return new NetworkPolicyPeerBuilder()
                .withNewPodSelector()
                .withMatchLabels(Labels.selecting(name))
                .endPodSelector()
                .build();
    }

    /** By the namespace as well: anybody can give any label to a pod in another namespace. */
    private static Stream<NetworkPolicyPeer> operator(Optional<String> home) {
        return home.stream()
                .map(namespace -> new NetworkPolicyPeerBuilder()
                        .withNewNamespaceSelector()
                        .withMatchLabels(Map.of("kubernetes.io/metadata.name", namespace))
                        .endNamespaceSelector()
                        .withNewPodSelector()
                        .withMatchLabels(Map.of(Labels.NAME, Labels.OPERATOR))
                        .endPodSelector()
                        .build());
    }

    private static NetworkPolicyPort port(int port) {
        return new NetworkPolicyPortBuilder()
                .withProtocol("TCP")
                .withPort(new IntOrString(port))
                .build();
    }
}
