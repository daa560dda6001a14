package dev.kvorum.load.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What a cluster needs to start. */
public record ClusterLaunch(Program program, Shape shape, Folders folders) {
    private static final String AOT_CACHE = "kvorum.aot";

    /** What a cluster has unless its topology says otherwise. */
    public static final int PARTITIONS = 4096;

    /**
     * What each node runs.
     *
     * @param jar      the node's
     * @param jvm      options of its JVM; {@code %n} stands for its id
     * @param settings its options, by their full names without the dashes
     * @param environment what its process has beside that of this process, by its id
     */
    public record Program(Path jar, List<String> jvm, Map<String, String> settings, Environment environment) {
        public Program {
            jvm = List.copyOf(jvm);
            settings = Map.copyOf(settings);
        }

        /** With the environment of this process. */
        public Program(Path jar, List<String> jvm, Map<String, String> settings) {
            this(jar, jvm, settings, _ -> Map.of());
        }
    }

    /** What the process of a node has in its environment. */
    @FunctionalInterface
    public interface Environment {
        /** Asked once for each node, before its first process. */
        Map<String, String> of(String id) throws IOException;
    }

    /**
     * Which nodes there are.
     *
     * @param nodes       members
     * @param spares      nodes more that run, but are no members
     * @param partitions  of the cluster
     * @param proxied the numbers, from 1, of the members whose peer ports get a proxy in front of them
     */
    public record Shape(int nodes, int spares, int replicationFactor, int partitions, Set<Integer> proxied) {
        public Shape {
            proxied = Set.copyOf(proxied);
        }

        /** Without spares, and without a proxy. */
        public static Shape of(int nodes, int replicationFactor, int partitions) {
            return new Shape(nodes, 0, replicationFactor, partitions, Set.of());
        }

        int processes() {
            return nodes + spares;
        }
    }

    /**
     * Where everything goes.
     *
     * @param logs     each node's output
     * @param data     their data directories, each under its node's id; removed in the end
     * @param keepData leaves the data directories behind
     */
    public record Folders(Path logs, Path data, boolean keepData) {}

    /** With the AOT cache beside the jar where there is one: so does the image run it. */
    List<String> jvmOf(String id) {
        Stream<String> own = program.jvm.stream().map(option -> option.replace("%n", id));
        Path cache = program.jar.resolveSibling(AOT_CACHE);
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
