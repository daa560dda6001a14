package dev.kvorum.operator.dependents;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.Retention;
import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.cluster.Labels;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * The published topology. It belongs to the data: where volumes outlive the cluster, so does it, and a cluster made anew under the same name goes on by it.
 */
public final class TopologyMap {
    private TopologyMap() {}

    /** @param switched whether reads have asked the next owners since the running change began */
    public static ConfigMap of(KvorumCluster cluster, ClusterName name, Topology topology, boolean switched) {
        return new ConfigMapBuilder()
                .withMetadata(metadata(cluster, name)
                        .edit()
                        .addToAnnotations(Labels.SWITCHED, Boolean.toString(switched))
                        .build())
                .withData(Map.of(
                        PodTemplate.TOPOLOGY_FILE, new String(TopologyJson.write(topology), StandardCharsets.UTF_8)))
                .build();
    }

    /** What it says about itself: its owners as {@code storage.retention} is now. */
    public static ObjectMeta metadata(KvorumCluster cluster, ClusterName name) {
        return cluster.getSpec().storage().retention() == Retention.Delete
                ? Metadata.owned(cluster, name, name.topology())
                : Metadata.kept(name, name.topology());
    }

    /** The topology that it holds; empty if it holds none, or one that can't be read. */
    public static Optional<Topology> topology(ConfigMap map) {
        String json = map.getData() == null ? null : map.getData().get(PodTemplate.TOPOLOGY_FILE);
        return json == null ? Optional.empty() : Optional.of(TopologyJson.read(json.getBytes(StandardCharsets.UTF_8)));
    }

    /** Whether reads have asked the next owners since the running change began. */
    public static boolean isSwitched(ConfigMap map) {
        Map<String, String> annotations = map.getMetadata().getAnnotations();
        return annotations != null && Boolean.parseBoolean(annotations.get(Labels.SWITCHED));
    }
}
