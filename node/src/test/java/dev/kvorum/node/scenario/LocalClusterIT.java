package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.Checkout;
import dev.kvorum.node.cluster.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code make run} ends, and all of its processes with it. Its nodes are programs that do not want to; {@link ReadmeIT} has real ones. */
@Timeout(120)
@Tag("check")
class LocalClusterIT {
    private static final String OBEDIENT = "exec sleep 1000";
    private static final String STUBBORN = "trap '' INT TERM HUP; echo deaf; exec sleep 1000";
    private static final String STOPPING = "Stopping the nodes";

    @TempDir
    Path directory;

    private Checkout checkout;

    @BeforeEach
    void checkOut() throws IOException {
        checkout = new Checkout(directory).withJava(STUBBORN).with("STOP_SECONDS", "1");
    }

    @AfterEach
    void remove() throws IOException {
        checkout.close();
    }

    @Test
    void interruptEndsNodesThatIgnoreSigterm() {
        try (Terminal terminal = started()) {
            terminal.interrupt();

            assertThat(terminal.exitCode()).isEqualTo(130);
            assertNothingRuns(terminal);
        }
    }

    @Test
    void secondInterruptDoesNotWaitForTheNodes() {
        checkout.with("STOP_SECONDS", "1000");
        try (Terminal terminal = started()) {
            terminal.interrupt();
            terminal.await(STOPPING);

            terminal.interrupt();

            assertThat(terminal.exitCode()).isEqualTo(130);
            assertNothingRuns(terminal);
        }
    }

    @Test
    void closedTerminalEndsTheNodes() {
        try (Terminal terminal = started()) {
            terminal.hangUp();

            assertNothingRuns(terminal);
        }
    }

    /** It sends SIGTERM to make and then to all processes, so the script is asked more than once. */
    @Test
    void timeoutEndsTheNodes() throws IOException {
        checkout.withJava(OBEDIENT);
        try (Terminal terminal = checkout.terminal("timeout 2 " + run())) {
            assertThat(terminal.exitCode()).isEqualTo(124);
            assertNothingRuns(terminal);
        }
    }

    /** Its nodes have kept the addresses that they had first. */
    @Test
    void clusterWithOtherPortsIsNotStarted() throws IOException {
        Path home = directory.resolve(".run/cluster-3");
        Files.createDirectories(home.resolve("n1"));
        Files.writeString(home.resolve("port"), "8081\n");
        Files.writeString(home.resolve("n1/topology.json"), "{}");

        assertThat(checkout.run(run()))
                .contains("The cluster in .run/cluster-3 has PORT=8081")
                .contains("make run PORT=8081");
        assertThat(home.resolve("topology.json")).doesNotExist();
    }

    @Test
    void nodesThatDoNotBecomeReadyAreEnded() {
        checkout.with("READY_SECONDS", "1");
        try (Terminal terminal = checkout.terminal(run())) {
            assertThat(terminal.exitCode()).isEqualTo(2); // That of make, for a command that fails.
            assertThat(terminal.output()).contains("Node n1 is not ready after 1 s");
            assertNothingRuns(terminal);
        }
    }

    @Test
    void nodesEndWithAScriptThatIsKilled() {
        try (Terminal terminal = started()) {
            terminal.processes().stream()
                    .filter(process -> process.info().commandLine().orElse("").contains("local-cluster run"))
                    .forEach(ProcessHandle::destroyForcibly);

            assertNothingRuns(terminal);
        }
    }

    @Test
    void linkInThePlaceOfTheNewTopologyIsNotFollowed() throws IOException {
        Path home = Files.createDirectories(directory.resolve(".run/cluster-3"));
        Path victim = Files.writeString(directory.resolve("victim"), "of somebody else");
        Files.createSymbolicLink(home.resolve("topology.json.new"), victim);

        try (Terminal _ = started()) {
            assertThat(victim).hasContent("of somebody else");
            assertThat(Files.isSymbolicLink(home.resolve("topology.json"))).isFalse();
        }
    }

    private String run() {
        return checkout.make("run PORT=" + checkout.port());
    }

    private Terminal started() {
        Terminal terminal = checkout.terminal(run());
        try {
            Stream.of("[n1] deaf", "[n2] deaf", "[n3] deaf").forEach(terminal::await);
            return terminal;
        } catch (AssertionError e) {
            terminal.close();
            throw e;
        }
    }

    private static void assertNothingRuns(Terminal terminal) {
        eventually("no process is left", () -> terminal.processes().isEmpty());
    }
}
