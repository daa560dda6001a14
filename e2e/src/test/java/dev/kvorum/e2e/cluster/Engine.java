package dev.kvorum.e2e.cluster;

import com.github.dockerjava.api.DockerClient;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.testcontainers.DockerClientFactory;

/** The container engine, and the labels by which all that is made there is found again, whatever becomes of this process. */
public final class Engine {
    /** The image of the tools that faults use. */
    public static final String FAULTS_IMAGE = "kvorum/e2e-faults:dev";

    private static final String RUN_LABEL = "dev.kvorum.e2e";
    private static final AtomicInteger NAMES = new AtomicInteger();

    private Engine() {}

    public static DockerClient docker() {
        return DockerClientFactory.instance().client();
    }

    /** The image under test. */
    public static String nodeImage() {
        return Objects.requireNonNullElse(System.getenv("KVORUM_IMAGE"), "kvorum/node:dev");
    }

    /** The name of this run: `make e2e` gives one, and removes all that carries it when the run has ended, however. */
    public static String run() {
        return Objects.requireNonNullElse(System.getenv("KVORUM_E2E_RUN"), "by-hand");
    }

    public static Map<String, String> labels() {
        return Map.of(RUN_LABEL, run());
    }

    /** A name that nothing else of this machine has. */
    public static String freshName(String what) {
        return "kvorum-e2e-" + run() + "-" + ProcessHandle.current().pid() + "-" + what + "-" + NAMES.incrementAndGet();
    }

    /** Where files of this run are, also those that containers mount. */
    public static Path workDirectory() {
        return Path.of("target", "runs", run()).toAbsolutePath();
    }
}
