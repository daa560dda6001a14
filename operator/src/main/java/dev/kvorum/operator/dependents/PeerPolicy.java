package dev.kvorum.operator.dependents;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPortBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The peers' port has no authentication: only members and the operator reach it, where a network plugin enforces this. */
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
                .withPorts(port(ClusterName.API_PORT), port(ClusterName.MANAGEMENT_PORT))
                .endIngress()
                .addNewIngress()
                .withPorts(port(ClusterName.PEER_PORT))
                .withFrom(peers(name, home))
                .endIngress()
                .endSpec()
                .build();
    }

    private static List<NetworkPolicyPeer> peers(ClusterName name, Optional<String> home) {
        NetworkPolicyPeer members = new NetworkPolicyPeerBuilder()
                .withNewPodSelector()
                .withMatchLabels(Labels.selecting(name))
                .endPodSelector()
                .build();
        // By the namespace as well: anybody can give a pod of his own any label.
        Optional<NetworkPolicyPeer> operator = home.map(namespace -> new NetworkPolicyPeerBuilder()
                .withNewNamespaceSelector()
                .withMatchLabels(Map.of("kubernetes.io/metadata.name", namespace))
                .endNamespaceSelector()
                .withNewPodSelector()
                .withMatchLabels(Map.of(Labels.NAME, Labels.OPERATOR))
                .endPodSelector()
                .build());
        return Stream.concat(Stream.of(members), operator.stream()).toList();
    }

    private static NetworkPolicyPort port(int port) {
        return new NetworkPolicyPortBuilder()
                .withProtocol("TCP")
                .withPort(new IntOrString(port))
                .build();
    }
}
