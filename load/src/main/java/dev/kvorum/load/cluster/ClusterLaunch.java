package dev.kvorum.load.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * What a cluster needs to start.
 *
 * @param jar         the node's
 * @param jvm         options of each node's JVM; {@code %n} stands for the node's id
 * @param settings    options of each node, by their full names without the dashes
 * @param logs        where each node's output goes
 * @param data        where their data directories go, each under its node's id; removed in the end
 * @param delayedNode the number, from 1, of the node whose peer port gets a proxy in front of it
 * @param spares      nodes more that run, but are no members
 * @param keepData    leaves the data directories behind
 * @param partitions  of the cluster
 */
public record ClusterLaunch(
        Path jar,
        int nodes,
        int replicationFactor,
        List<String> jvm,
        Map<String, String> settings,
        Path logs,
        Path data,
        OptionalInt delayedNode,
        int spares,
        boolean keepData,
        int partitions) {
    private static final String AOT_CACHE = "kvorum.aot";

    /** What a cluster has unless its topology says otherwise. */
    public static final int PARTITIONS = 4096;

    public ClusterLaunch {
        jvm = List.copyOf(jvm);
        settings = Map.copyOf(settings);
    }

    /** With the AOT cache beside the jar where there is one: so does the image run it. */
    List<String> jvmOf(String id) {
        Stream<String> own = jvm.stream().map(option -> option.replace("%n", id));
        Path cache = jar.resolveSibling(AOT_CACHE);
        return Files.exists(cache) ? Stream.concat(own, cached(cache)).toList() : own.toList();
    }

    /** One that can't be used would only be slow, and nobody know: with these a node does not start then. */
    private static Stream<String> cached(Path cache) {
        return Stream.of(
                "-XX:AOTMode=on",
                "-XX:AOTCache=" + cache,
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:ArchiveRelocationMode=0");
    }
}
