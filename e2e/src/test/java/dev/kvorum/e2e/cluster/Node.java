package dev.kvorum.e2e.cluster;

import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.model.HostConfig;
import dev.kvorum.e2e.record.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;

/** One node, over all lives of its container. Its address and its volume stay, unless it is wiped. */
public final class Node implements Endpoint {
    /** By how it ends when it is told to. */
    public static final int EXIT_BY_SIGTERM = 143;

    private static final Duration READY_MAX = Duration.ofMinutes(3);
    private static final Duration ASK_MAX = Duration.ofSeconds(2);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(ASK_MAX).build();

    private final int number;
    private final NodeContainer plan;
    private final Path log;
    private @Nullable GenericContainer<?> container;

    /** @param log keeps what containers printed that are gone */
    Node(int number, NodeContainer plan, Path log) {
        this.number = number;
        this.plan = plan;
        this.log = log;
    }

    /** From 1 on. */
    public int number() {
        return number;
    }

    @Override
    public String id() {
        return plan.id();
    }

    public String address() {
        return plan.address();
    }

    public String volume() {
        return plan.volume();
    }

    @Override
    public URI api() {
        return URI.create("http://" + address() + ":8080");
    }

    /** Where other members are served. */
    public URI peers() {
        return URI.create("http://" + address() + ":" + Cluster.PEER_PORT);
    }

    public URI management() {
        return URI.create("http://" + address() + ":8081");
    }

    public boolean exists() {
        return container != null;
    }

    public String containerId() {
        return Objects.requireNonNull(container, () -> id() + " has no container")
                .getContainerId();
    }

    /** A container of its own, as it is meant to be run. Blocks until it runs, not until it is ready. */
    public void create() {
        create(host -> {});
    }

    /** The same, run in another way. */
    public void create(Consumer<HostConfig> otherwise) {
        GenericContainer<?> fresh = plan.create(otherwise);
        fresh.start();
        container = fresh;
    }

    /** Runs a second container on its volume until that ends by itself, as it should where this one runs. Blocks for at most a minute. */
    public Execution runTwin() {
        return plan.runTwin();
    }

    /** Ends the container and lets go of it; the volume and what was printed stay. */
    public void remove() {
        if (container != null) {
            ContainerLog.append(containerId(), log);
            container.stop();
            container = null;
        }
    }

    /** SIGKILL. */
    public void kill() {
        Engine.docker().killContainerCmd(containerId()).exec();
    }

    /** SIGTERM, and SIGKILL when that takes longer than 40 s. */
    public void stop() {
        Engine.docker().stopContainerCmd(containerId()).withTimeout(40).exec();
    }

    /** Starts the container that was killed or stopped. */
    public void start() {
        Engine.docker().startContainerCmd(containerId()).exec();
    }

    /** Puts what its containers have printed until now at the end of a file. Blocks. */
    public void appendLog(Path file) throws IOException {
        if (Files.exists(log)) {
            Files.write(file, Files.readAllBytes(log), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        if (exists()) {
            ContainerLog.append(containerId(), file);
        }
    }

    public ContainerState state() {
        return Engine.docker().inspectContainerCmd(containerId()).exec().getState();
    }

    public boolean isReady() {
        return statusOf(management().resolve("/actuator/health/readiness")) == 200;
    }

    /** Blocks until it is ready; fails at once where its container has ended. */
    public void awaitReady() {
        Eventually.await(
                () -> id() + " is ready; its container is " + state(), READY_MAX, () -> isReady() || isEnded());
        if (isEnded()) {
            throw new AssertionError(id() + " has ended before it was ready: " + state());
        }
    }

    private boolean isEnded() {
        return !Boolean.TRUE.equals(state().getRunning());
    }

    /** Blocks until it can be asked to join: it is ready only when it has. */
    public void awaitControl() {
        Eventually.await(
                () -> id() + " reports; its container is " + state(),
                READY_MAX,
                () -> statusOf(management().resolve("/actuator/member")) == 200);
    }

    private static int statusOf(URI target) {
        HttpRequest request = HttpRequest.newBuilder(target).timeout(ASK_MAX).build();
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            return 0; // Not there is an answer, too.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Memory of the process that is in the machine's, in MiB. */
    public long residentMib() {
        return mib(Sidecar.amongProcessesOf(this, "grep", "VmRSS", "/proc/1/status"));
    }

    /**
     * What of it no file holds, so that the machine can't take it back, in MiB: the most that is seen by looking twice a second. Blocks for so
     * long, whole seconds up to 150.
     */
    public long anonymousPeakMib(Duration howLong) {
        String looks = Sidecar.amongProcessesOf(
                this,
                "sh",
                "-c",
                "end=$(($(date +%s) + " + howLong.toSeconds()
                        + ")); while [ $(date +%s) -lt $end ]; do grep RssAnon /proc/1/status; sleep 0.5; done");
        return looks.lines().mapToLong(Node::mib).max().orElseThrow();
    }

    /** Of a line of a process's status, which counts in KiB. */
    private static long mib(String line) {
        return Long.parseLong(line.replaceAll("\\D", "")) >> 10;
    }

    @Override
    public String toString() {
        return id();
    }
}
