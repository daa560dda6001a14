package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.Checkout;
import dev.kvorum.node.cluster.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code make kube-up} takes kind where that can start a cluster, else the rig, and says why. Programs that write down how they are called stand in for kind, Docker and the rig. */
@Timeout(60)
class LocalKubernetesIT {
    private static final List<String> TOOLS = List.of(
            "sh", "bash", "env", "awk", "cat", "dirname", "grep", "head", "mkdir", "mktemp", "rm", "sed", "setpriv",
            "sleep", "sort", "timeout");
    private static final String NO_CLUSTER = "echo 'No kind clusters found.' >&2";
    private static final String CANNOT_PULL = """
            echo 'Creating cluster "kvorum" ...' >&2
            echo 'ERROR: failed to create cluster: failed to pull image "kindest/node:v1": exit status 1' >&2
            exit 1""";

    @TempDir
    Path directory;

    private Path programs;
    private Path calls;
    private Path kubeconfig;
    private Checkout checkout;

    @BeforeEach
    void makePrograms() throws IOException {
        programs = Files.createDirectory(directory.resolve("bin"));
        calls = Files.createFile(directory.resolve("calls"));
        kubeconfig = directory.resolve("state/kvorum/kind/kubeconfig");
        Path project = Files.createDirectory(directory.resolve("project"));
        checkout = new Checkout(project);
        environment().forEach(checkout::with);
        Path rig = Files.createDirectories(project.resolve("e2e/kubernetes"));
        Files.createDirectory(project.resolve("k8s"));
        for (String script : List.of("k8s/local", "e2e/kubernetes/bounded.sh")) {
            Files.copy(Checkout.file(script), project.resolve(script), StandardCopyOption.COPY_ATTRIBUTES);
        }
        for (String script : List.of("up", "down", "load")) {
            program(rig.resolve(script), "echo rig " + script + " \"$@\" nodes $NODES >>" + calls);
        }
        for (String tool : TOOLS) { // And nothing else: this machine may have a kind.
            program(programs.resolve(tool), "exec " + onPath(tool) + " \"$@\"");
        }
        docker("");
    }

    @AfterEach
    void removeLinks() throws IOException {
        checkout.close();
    }

    @Test
    void kindIsTakenWhereItIsInstalled() throws IOException {
        kind(NO_CLUSTER, "for word; do case $word in *kind.yaml) cat \"$word\" >>" + calls + " ;; esac; done");

        assertThat(checkout.run("NODES=4 k8s/local up 2>/dev/null"))
                .isEqualTo("export KUBECONFIG=" + kubeconfig + "\n");
        assertThat(calls())
                .anyMatch(call -> call.startsWith("kind create cluster --name kvorum --config "))
                .noneMatch(call -> call.startsWith("rig"));
        assertThat(calls())
                .filteredOn(call -> call.contains("role:"))
                .containsExactly(
                        "  - role: control-plane",
                        "  - role: worker",
                        "  - role: worker",
                        "  - role: worker",
                        "  - role: worker");
        assertThat(calls())
                .filteredOn(call -> call.contains("zone:"))
                .map(call -> call.replaceAll(".*zone: |}", ""))
                .containsExactly("a", "b", "c", "a");
    }

    @Test
    void rigIsTakenWhereKindIsNotInstalled() throws IOException {
        assertThat(checkout.run("k8s/local up"))
                .contains("kind is not installed")
                .contains("rig instead");
        assertThat(calls()).containsExactly("rig up nodes 3");
    }

    @Test
    void rigIsTakenWhereKindCannotPullItsImage() throws IOException {
        kind(NO_CLUSTER, CANNOT_PULL);

        assertThat(checkout.run("k8s/local up"))
                .contains("kind can't pull its image (\"kindest/node:v1\")")
                .contains("rig instead");
        assertThat(calls()).endsWith("rig up nodes 3");
    }

    @Test
    void rigIsTakenWhereItIsAskedFor() throws IOException {
        kind(NO_CLUSTER, "");

        assertThat(checkout.run("KUBE=rig k8s/local up; echo exit $?")).isEqualTo("exit 0\n");
        assertThat(calls()).containsExactly("kind get clusters", "rig up nodes 3");
    }

    @Test
    void kindIsTakenOrNothingWhereItIsAskedFor() throws IOException {
        assertThat(checkout.run("KUBE=kind k8s/local up; echo exit $?")).contains("kind is not installed", "exit 1");

        kind(NO_CLUSTER, CANNOT_PULL);

        assertThat(checkout.run("KUBE=kind k8s/local up; echo exit $?")).contains("failed to pull image", "exit 1");
        assertThat(calls()).noneMatch(call -> call.startsWith("rig"));
    }

    /** It is a fault to be seen, and not a reason to build another Kubernetes for ten minutes. */
    @Test
    void otherFailuresOfKindAreToldAndWhatIsLeftIsRemoved() throws IOException {
        kind(NO_CLUSTER, "echo 'ERROR: no space left on device' >&2; exit 1");

        assertThat(checkout.run("k8s/local up; echo exit $?"))
                .contains("no space left on device", "KUBE=rig", "exit 1");
        assertThat(calls())
                .noneMatch(call -> call.startsWith("rig"))
                .last()
                .asString()
                .startsWith("kind delete cluster --name kvorum");
    }

    @Test
    void creationThatIsInterruptedIsRemoved() throws IOException {
        kind(NO_CLUSTER, "exec sleep 1000");

        try (Terminal terminal = new Terminal(directory.resolve("project"), environment(), "k8s/local up")) {
            eventually(
                    "kind creates a cluster", () -> calls().stream().anyMatch(call -> call.startsWith("kind create")));
            terminal.interrupt();

            assertThat(terminal.exitCode()).isEqualTo(130);
            eventually("no process is left", () -> terminal.processes().isEmpty());
        }
        assertThat(calls()).last().asString().startsWith("kind delete cluster --name kvorum");
        assertThat(directory.resolve("tmp")).isEmptyDirectory();
    }

    @Test
    void clusterOfKindIsTheOnlyOneAndGetsImagesAndIsRemoved() throws IOException {
        kind("echo kvorum", "");

        assertThat(checkout.run("k8s/local up; echo exit $?"))
                .contains("is there already", kubeconfig.toString(), "make kube-down", "exit 1");
        assertThat(checkout.run("KUBE=rig k8s/local up; echo exit $?")).contains("is there already", "exit 1");
        assertThat(checkout.run("k8s/local load one:1 two:2; echo exit $?")).contains("exit 0");
        assertThat(checkout.run("k8s/local down; echo exit $?")).contains("is gone", "exit 0");
        assertThat(calls())
                .filteredOn(call -> !call.equals("kind get clusters"))
                .containsExactly(
                        "kind load docker-image --name kvorum one:1 two:2",
                        "kind delete cluster --name kvorum --kubeconfig " + kubeconfig);
    }

    @Test
    void rigThatIsThereGetsImagesAndIsRemovedThoughThereIsKind() throws IOException {
        kind(NO_CLUSTER, "");
        docker("echo container");

        checkout.run("k8s/local up && k8s/local load one:1 && k8s/local down");

        assertThat(calls())
                .filteredOn(call -> !call.equals("kind get clusters"))
                .containsExactly("rig up nodes 3", "rig load one:1 nodes 3", "rig down nodes 3");
    }

    /** An engine that is away has no clusters to tell: nothing may be taken for gone. */
    @Test
    void nothingIsDoneWhereKindCannotTellItsClusters() throws IOException {
        kind("echo 'Cannot connect to the Docker daemon' >&2; exit 1", "");

        for (String command : List.of("up", "down", "load one:1")) {
            assertThat(checkout.run("k8s/local " + command + "; echo exit $?"))
                    .contains("does Docker's engine run? Cannot connect", "exit 1");
        }
        assertThat(calls()).containsOnly("kind get clusters");
    }

    private Map<String, String> environment() throws IOException {
        return Map.of(
                "PATH", programs.toString(),
                "TMPDIR", Files.createDirectories(directory.resolve("tmp")).toString(),
                "XDG_STATE_HOME", directory.resolve("state").toString());
    }

    private List<String> calls() {
        try {
            return Files.readAllLines(calls);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void kind(String getClusters, String create) throws IOException {
        program(programs.resolve("kind"), """
                echo kind "$@" >>%s
                case $1 in
                    get) %s ;;
                    create) %s ;;
                esac""".formatted(calls, getClusters, create));
    }

    private void docker(String containers) throws IOException {
        program(programs.resolve("docker"), containers);
    }

    private static Path onPath(String tool) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(place -> Path.of(place, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError(tool + " is missing"));
    }

    private static void program(Path file, String commands) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + commands + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
