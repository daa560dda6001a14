package dev.kvorum.load.scenario;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The nodes of a variant.
 *
 * @param build    which experiment's build of the node they run; empty for the delivered one
 * @param jvm      options of each node's JVM
 * @param settings options of each node, by their full names without the dashes
 */
public record ClusterPlan(
        int nodes, int replicationFactor, Optional<String> build, List<String> jvm, Map<String, String> settings) {
    public ClusterPlan {
        jvm = List.copyOf(jvm);
        settings = Map.copyOf(settings);
    }
}
