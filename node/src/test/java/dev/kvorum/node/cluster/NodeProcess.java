package dev.kvorum.node.cluster;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** One node as it is deployed, in a process of its own, which can be killed. */
public final class NodeProcess implements AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    static final Duration START_MAX = Duration.ofMinutes(2); // Of several JVMs at once, where processors are short.

    private final String id;
    private final Path directory;
    private final Path output;
    private final int apiPort = Ports.free();
    private final int peerPort = Ports.free();
    private final int managementPort = Ports.free();
    private final NodeClient client = new NodeClient(apiPort);
    private @Nullable Process process;

    public NodeProcess(String id, Path directory) {
        this.id = id;
        this.directory = directory;
        this.output = directory.resolve(id + ".out");
    }

    public String id() {
        return id;
    }

    public int apiPort() {
        return apiPort;
    }

    public int peerPort() {
        return peerPort;
    }

    public int managementPort() {
        return managementPort;
    }

    /** As an active member of the first epoch, in the only zone. */
    public Member member() {
        return member("127.0.0.1");
    }

    /** @param peerHost the name by which other members reach it */
    public Member member(String peerHost) {
        return new Member(
                id,
                URI.create("http://127.0.0.1:" + apiPort),
                URI.create("http://" + peerHost + ":" + peerPort),
                "zone",
                MemberState.ACTIVE,
                1,
                null);
    }

    public NodeClient client() {
        return client;
    }

    public Path dataDirectory() {
        return directory.resolve(id);
    }

    /** What the process wrote to its standard output and error so far. */
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts the process, but does not wait until it serves.
     *
     * @param more options that are added, or replace those that every node gets
     */
    public Process launch(String... more) {
        process = UnpackedNode.launch(output, words(more));
        return process;
    }

    /** Starts the process with more variables in its environment, but does not wait until it serves. */
    public Process launchIn(Map<String, String> environment, String... more) {
        process = UnpackedNode.launch(output, words(more), environment);
        return process;
    }

    /** Lets another program start the process, which becomes it: it gets the command line of the node behind its own words. */
    public Process launchBy(List<String> program, String... more) {
        process = UnpackedNode.launch(output, words(more), Map.of(), program);
        return process;
    }

    /** Returns when the process that was launched last is ready. */
    public void awaitReady() {
        awaitReady(running());
    }

    /** Runs a command of the jar to its end. */
    public Command.Outcome command(String... words) {
        Path answer = directory.resolve(id + "-command.out");
        return new Command(UnpackedNode.launch(answer, List.of(words)), answer).outcome();
    }

    /** Starts the jar as it was built, and returns when it is ready. */
    public void startJar() {
        process = UnpackedNode.launchJar(output, words());
        awaitReady(process);
    }

    private List<String> words(String... more) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("--kvorum.node-id", id);
        options.put("--kvorum.data-dir", dataDirectory().toString());
        options.put("--kvorum.topology-file", directory.resolve("topology.json").toString());
        options.put("--kvorum.peer-port", Integer.toString(peerPort));
        options.put("--server.port", Integer.toString(apiPort));
        options.put("--management.server.port", Integer.toString(managementPort));
        options.putAll(Patience.OPTIONS);
        for (String option : more) {
            Patience.replace(options, option);
        }
        List<String> words = new ArrayList<>();
        options.forEach((name, value) -> words.add(name + "=" + value));
        return words;
    }

    /** Starts the process and returns when it is ready. */
    public void start(String... more) {
        startAll(List.of(this), more);
    }

    /** Starts the processes of these nodes and returns when all are ready. */
    public static void startAll(List<NodeProcess> nodes, String... more) {
        List<Process> started = nodes.stream().map(node -> node.launch(more)).toList();
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).awaitReady(started.get(i));
        }
    }

    private void awaitReady(Process started) {
        Eventually.eventually(
                id + " is ready, or has ended: " + output, START_MAX, () -> isReady() || !started.isAlive());
        if (!started.isAlive()) {
            throw new IllegalStateException(id + " ended: " + output());
        }
    }

    private boolean isReady() {
        return management("/actuator/health/readiness").startsWith("200");
    }

    /** Status and body of a GET on the management port; empty if nobody answers. */
    public String management(String path) {
        URI uri = URI.create("http://127.0.0.1:" + managementPort + path);
        try {
            return HTTP.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .thenApply(response -> response.statusCode() + " " + response.body())
                    .join();
        } catch (CompletionException e) {
            return "";
        }
    }

    public long pid() {
        return running().pid();
    }

    /** As {@code kill -9}. */
    public void kill() {
        end(running().destroyForcibly());
    }

    /** As {@code kill -TERM}, and waits for the end; its exit code. */
    public int terminate() {
        Process ending = running();
        ending.destroy();
        return end(ending);
    }

    private Process running() {
        return Objects.requireNonNull(process, () -> id + " is not running");
    }

    private static int end(Process process) {
        return process.onExit().join().exitValue();
    }

    @Override
    public void close() {
        if (process != null) {
            kill();
        }
    }
}
