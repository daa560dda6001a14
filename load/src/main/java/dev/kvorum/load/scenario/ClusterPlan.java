package dev.kvorum.load.scenario;

import java.util.List;
import java.util.Map;

/**
 * The nodes of a variant.
 *
 * @param jvm      options of each node's JVM
 * @param settings options of each node, by their full names without the dashes
 */
public record ClusterPlan(int nodes, int replicationFactor, List<String> jvm, Map<String, String> settings) {
    public ClusterPlan {
        jvm = List.copyOf(jvm);
        settings = Map.copyOf(settings);
    }
}
