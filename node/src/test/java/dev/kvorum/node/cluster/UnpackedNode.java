package dev.kvorum.node.cluster;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.util.FileSystemUtils;

/**
 * The node as its image has it: unpacked, with an AOT cache beside. This cache knows the start alone. With it, and without C2, a node takes a fifth of the processor time until it
 * is ready, which tests that start dozens of them are glad of.
 */
final class UnpackedNode {
    private static final Path JAR = Path.of("target", "kvorum-node.jar").toAbsolutePath();
    private static final Path HOME = Path.of("target", "unpacked").toAbsolutePath();
    private static final Path UNPACKED_JAR = HOME.resolve("kvorum-node.jar");
    private static final Path CACHE = HOME.resolve("kvorum.aot");
    private static final Path OWN_LIBRARIES = HOME.resolve("tmp"); // Those who are killed leave theirs behind.
    private static final Duration TAKES_MAX = Duration.ofMinutes(5);
    private static final List<String> OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-Xmx192m",
            "-XX:TieredStopAtLevel=1", // Nobody lives long enough for C2 to pay.
            "-Djava.io.tmpdir=" + OWN_LIBRARIES);

    static {
        try {
            unpack();
            train();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private UnpackedNode() {}

    /** Starts the jar that it was unpacked from; as below. */
    static Process launchJar(Path output, List<String> words) {
        List<String> all = new ArrayList<>(OPTIONS);
        all.addAll(List.of("-jar", JAR.toString()));
        all.addAll(words);
        return java(output, all);
    }

    /** Starts it with these words; what it says goes to that file. */
    static Process launch(Path output, List<String> words) {
        return launch(output, words, Map.of());
    }

    /** The same with more variables in its environment. */
    static Process launch(Path output, List<String> words, Map<String, String> environment) {
        return launch(output, words, environment, List.of());
    }

    /** The same, started by another program. */
    static Process launch(Path output, List<String> words, Map<String, String> environment, List<String> program) {
        List<String> all = new ArrayList<>(OPTIONS);
        all.add("-XX:AOTCache=" + CACHE);
        all.addAll(List.of("-jar", UNPACKED_JAR.toString()));
        all.addAll(words);
        return java(output, all, environment, program);
    }

    /** Anew in each run of tests: the time of the jar does not tell whether it is another, as builds are reproducible. */
    private static void unpack() throws IOException {
        FileSystemUtils.deleteRecursively(HOME);
        Path output = HOME.resolveSibling("unpacked.out");
        String home = HOME.toString();
        require(
                output,
                java(output, List.of("-Djarmode=tools", "-jar", JAR.toString(), "extract", "--destination", home)));
        Files.createDirectory(OWN_LIBRARIES);
    }

    /** A node that ends when it would begin to serve. */
    private static void train() throws IOException {
        Path directory = Files.createDirectory(HOME.resolve("training"));
        Path topology = directory.resolve("topology.json");
        URI nowhere = URI.create("http://127.0.0.1:1");
        Member member = new Member("n1", nowhere, nowhere, "zone", MemberState.ACTIVE, 1, null);
        Files.write(topology, TopologyJson.write(new Topology("trained", 1, 1, 16, List.of(member))));
        Path output = directory.resolve("n1.out");
        List<String> all = new ArrayList<>(OPTIONS);
        all.addAll(List.of(
                "-XX:AOTCacheOutput=" + CACHE,
                "-Dspring.context.exit=onRefresh",
                "-jar",
                UNPACKED_JAR.toString(),
                "--kvorum.node-id=n1",
                "--kvorum.data-dir=" + directory.resolve("n1"),
                "--kvorum.topology-file=" + topology,
                "--kvorum.peer-port=0",
                "--server.port=0",
                "--management.server.port=0"));
        require(output, java(output, all));
        if (!Files.exists(CACHE)) {
            throw new IllegalStateException("it left no AOT cache: " + Files.readString(output));
        }
    }

    private static Process java(Path output, List<String> words) {
        return java(output, words, Map.of(), List.of());
    }

    private static Process java(
            Path output, List<String> words, Map<String, String> environment, List<String> program) {
        List<String> command = new ArrayList<>(program);
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(words);
        try {
            ProcessBuilder process =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            process.environment().putAll(environment);
            return process.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void require(Path output, Process process) throws IOException {
        Integer exitCode = process.onExit()
                .thenApply(Process::exitValue)
                .completeOnTimeout(null, TAKES_MAX.toMinutes(), TimeUnit.MINUTES)
                .join();
        if (exitCode == null || exitCode != 0) {
            process.destroyForcibly();
            throw new IllegalStateException("it ended with " + exitCode + ": " + Files.readString(output));
        }
    }
}
