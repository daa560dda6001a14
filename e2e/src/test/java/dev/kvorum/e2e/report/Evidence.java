package dev.kvorum.e2e.report;

import dev.kvorum.e2e.client.MemberReport;
import dev.kvorum.e2e.client.Metrics;
import dev.kvorum.e2e.cluster.Cluster;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.history.check.Anomaly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps what tells why a scenario failed: {@code e2e/target/evidence/CLASS.METHOD/}. What can't be had is named there, too. */
public final class Evidence {
    private static final Path ALL = Path.of("target", "evidence");

    private Evidence() {}

    /** @param failure in words; empty where only the history has broken a promise */
    public static void keep(Cluster cluster, ExtensionContext scenario, String failure, List<Anomaly> anomalies) {
        Path folder = ALL.resolve(scenario.getRequiredTestClass().getName().replaceAll(".*[.]", "") + "."
                + scenario.getTestMethod().map(Method::getName).orElse("start"));
        try {
            Files.createDirectories(folder);
            Files.writeString(
                    folder.resolve("failure.txt"),
                    failure + "\n"
                            + String.join(
                                    "\n",
                                    anomalies.stream().map(Anomaly::toString).toList()));
            copy(cluster.recorder().written(), folder.resolve("history.jsonl"));
            copy(cluster.topologyFile(), folder.resolve("topology.json"));
            for (Node node : cluster.nodesAndSpares()) {
                node.appendLog(folder.resolve(node.id() + ".log"));
                if (node.exists()) {
                    keep(node, folder);
                }
            }
            System.err.println("Kept in " + folder.toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Path file, Path to) throws IOException {
        if (Files.exists(file)) { // Not yet, where a cluster has not come so far.
            Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void keep(Node node, Path folder) throws IOException {
        Files.writeString(folder.resolve(node.id() + "-state.txt"), node.state().toString());
        Files.writeString(
                folder.resolve(node.id() + "-metrics.txt"),
                ifItAnswers(() -> Metrics.of(node).text()));
        Files.writeString(
                folder.resolve(node.id() + "-member.json"),
                ifItAnswers(() -> MemberReport.of(node).text()));
    }

    private static String ifItAnswers(Supplier<String> question) {
        try {
            return question.get();
        } catch (UncheckedIOException | AssertionError e) {
            return "none: " + e;
        }
    }
}
