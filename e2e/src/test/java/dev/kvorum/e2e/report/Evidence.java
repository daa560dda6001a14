package dev.kvorum.e2e.report;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Frame;
import dev.kvorum.e2e.client.MemberReport;
import dev.kvorum.e2e.client.Metrics;
import dev.kvorum.e2e.cluster.Cluster;
import dev.kvorum.e2e.cluster.Engine;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.history.check.Anomaly;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps what tells why a scenario failed: {@code e2e/target/evidence/CLASS.METHOD/}. What can't be had is named there, too. */
public final class Evidence {
    private static final Path ALL = Path.of("target", "evidence");
    private static final int LOG_SECONDS_MAX = 20;

    private Evidence() {}

    public static void keep(Cluster cluster, ExtensionContext scenario, List<Anomaly> anomalies) {
        Path folder = ALL.resolve(scenario.getRequiredTestClass().getName().replaceAll(".*[.]", "") + "."
                + scenario.getRequiredTestMethod().getName());
        try {
            Files.createDirectories(folder);
            Files.writeString(
                    folder.resolve("failure.txt"),
                    scenario.getExecutionException().map(Throwable::toString).orElse("") + "\n"
                            + String.join(
                                    "\n",
                                    anomalies.stream().map(Anomaly::toString).toList()));
            copy(cluster.recorder().written(), folder.resolve("history.jsonl"));
            copy(cluster.topologyFile(), folder.resolve("topology.json"));
            for (Node node : cluster.nodesAndSpares()) {
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
        Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void keep(Node node, Path folder) throws IOException {
        Files.writeString(folder.resolve(node.id() + "-state.txt"), node.state().toString());
        Files.writeString(
                folder.resolve(node.id() + "-metrics.txt"),
                ifItAnswers(() -> Metrics.of(node).text()));
        Files.writeString(
                folder.resolve(node.id() + "-member.json"),
                ifItAnswers(() -> MemberReport.of(node).text()));
        try (OutputStream out = Files.newOutputStream(folder.resolve(node.id() + ".log"));
                ResultCallback.Adapter<Frame> lines = new ResultCallback.Adapter<>() {
                    @Override
                    public void onNext(Frame frame) {
                        try {
                            out.write(frame.getPayload());
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }
                }) {
            Engine.docker()
                    .logContainerCmd(node.containerId())
                    .withStdOut(true)
                    .withStdErr(true)
                    .exec(lines)
                    .awaitCompletion(LOG_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static String ifItAnswers(Supplier<String> question) {
        try {
            return question.get();
        } catch (UncheckedIOException e) {
            return "none: " + e.getCause();
        }
    }
}
