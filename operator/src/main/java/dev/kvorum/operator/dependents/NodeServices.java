package dev.kvorum.operator.dependents;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;

/** The services of a cluster. */
public final class NodeServices {
    private NodeServices() {}

    /** By which members, and the operator, find each pod; also one that is not ready, or it could never become so. */
    public static Service peers(KvorumCluster cluster, ClusterName name) {
        return new ServiceBuilder()
                .withMetadata(Metadata.owned(cluster, name, name.peers()))
                .withNewSpec()
                .withClusterIP("None")
                .withPublishNotReadyAddresses(true)
                .withSelector(Labels.selecting(name))
                .withPorts(
                        port("api", ClusterName.API_PORT, "api"),
                        port("peer", ClusterName.PEER_PORT, "peer"),
                        port("management", ClusterName.MANAGEMENT_PORT, "management"))
                .endSpec()
                .build();
    }

    /** Which clients use: any ready node serves any key. */
    public static Service clients(KvorumCluster cluster, ClusterName name) {
        return new ServiceBuilder()
                .withMetadata(Metadata.owned(cluster, name, name.name()))
                .withNewSpec()
                .withSelector(Labels.selecting(name))
                .withPorts(port("api", ClusterName.API_PORT, "api"))
                .endSpec()
                .build();
    }

    private static ServicePort port(String name, int port, String target) {
        return new ServicePortBuilder()
                .withName(name)
                .withPort(port)
                .withProtocol("TCP")
                .withTargetPort(new IntOrString(target))
                .build();
    }
}
