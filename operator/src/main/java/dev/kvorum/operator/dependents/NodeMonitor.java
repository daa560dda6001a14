package dev.kvorum.operator.dependents;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import java.util.List;
import java.util.Map;

/** Tells the Prometheus operator where the metrics are. */
public final class NodeMonitor {
    public static final String API_VERSION = "monitoring.coreos.com/v1";
    public static final String KIND = "PodMonitor";

    private NodeMonitor() {}

    public static GenericKubernetesResource of(KvorumCluster cluster, ClusterName name) {
        Map<String, Object> endpoint = Map.of(
                "port",
                "management",
                "path",
                "/actuator/prometheus",
                "interval",
                cluster.getSpec().monitoring().interval());
        return new GenericKubernetesResourceBuilder()
                .withApiVersion(API_VERSION)
                .withKind(KIND)
                .withMetadata(Metadata.owned(cluster, name, name.name()))
                .addToAdditionalProperties(
                        "spec",
                        Map.of(
                                "selector",
                                Map.of("matchLabels", Labels.selecting(name)),
                                "podMetricsEndpoints",
                                List.of(endpoint)))
                .build();
    }
}
