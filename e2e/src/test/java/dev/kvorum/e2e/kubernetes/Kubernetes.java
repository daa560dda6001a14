package dev.kvorum.e2e.kubernetes;

import dev.kvorum.e2e.cluster.Eventually;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The Kubernetes that {@code KUBECONFIG} names. */
public final class Kubernetes {
    /** The lock of all scenarios, shared; a scenario that takes machines away has it alone, as the others expect theirs to last. */
    public static final String MACHINES = "machines";

    private static final KubernetesClient CLIENT = new KubernetesClientBuilder().build();
    private static final Duration DOCKER_MAX = Duration.ofSeconds(30);
    private static final Duration CHANGED_MAX = Duration.ofSeconds(30);
    private static final Duration MACHINE_READY_MAX = Duration.ofMinutes(2);
    private static final Taint OUT_OF_SERVICE = new TaintBuilder()
            .withKey("node.kubernetes.io/out-of-service")
            .withValue("nodeshutdown")
            .withEffect("NoExecute")
            .build();

    private static final String ZONE = "topology.kubernetes.io/zone";

    private Kubernetes() {}

    public static KubernetesClient client() {
        return CLIENT;
    }

    /** The container that a machine of this Kubernetes is, where it is the rig of {@code e2e/kubernetes}. */
    private static String containerOf(String machine) {
        return "kvorum-kube-" + machine;
    }

    /** Whether its machines are containers here, which can be killed. */
    public static boolean hasMachinesHere(String machine) {
        return Program.succeeds(DOCKER_MAX, List.of("docker", "inspect", containerOf(machine)));
    }

    /** Those of its machines. */
    public static Set<String> zones() {
        return CLIENT.nodes().list().getItems().stream()
                .map(node -> node.getMetadata().getLabels().getOrDefault(ZONE, ""))
                .collect(Collectors.toUnmodifiableSet());
    }

    public static String zoneOf(String machine) {
        return CLIENT.nodes().withName(machine).get().getMetadata().getLabels().getOrDefault(ZONE, "");
    }

    /**
     * SIGKILL, to what a pod runs, where its machine is here; and the pod is deleted, so that another is started at once instead of its containers after longer and longer waits. Elsewhere it is deleted only: its
     * processes then get SIGTERM, and two seconds.
     */
    static void killPod(Pod pod) {
        String machine = pod.getSpec().getNodeName();
        if (machine != null && hasMachinesHere(machine)) {
            pod.getStatus().getContainerStatuses().stream()
                    .map(ContainerStatus::getContainerID)
                    .filter(Objects::nonNull) // Not of those that have not been started yet.
                    .forEach(container -> killContainer(machine, container));
        }
        deletePod(pod.getMetadata().getNamespace(), pod.getMetadata().getName(), 0);
    }

    /** @param graceSeconds 0 ends it at once */
    static void deletePod(String namespace, String name, long graceSeconds) {
        var _ = CLIENT.pods()
                .inNamespace(namespace)
                .withName(name)
                .withGracePeriod(graceSeconds)
                .delete();
    }

    /** It may have ended by itself, and then there is nothing to kill. */
    private static void killContainer(String machine, String container) {
        String id = container.substring(container.lastIndexOf('/') + 1); // containerd://id
        String kill = "ctr --namespace k8s.io tasks kill --signal SIGKILL " + id;
        try {
            Program.run(DOCKER_MAX, List.of("docker", "exec", containerOf(machine), "sh", "-c", kill));
        } catch (AssertionError e) {
            if (!Objects.requireNonNull(e.getMessage()).contains("not found")) {
                throw e;
            }
        }
    }

    /** Whether Kubernetes takes it to be there. */
    public static boolean isReady(String machine) {
        return CLIENT.nodes().withName(machine).isReady();
    }

    /** SIGKILL, to all that runs on a machine. It is started again when that is closed. */
    public static LostMachine killMachine(String machine) {
        Program.run(DOCKER_MAX, List.of("docker", "kill", containerOf(machine)));
        return new LostMachine(machine);
    }

    /** A machine that was killed. Closing starts it and blocks until Kubernetes has it again: what is removed while it is away can't end there. */
    public static final class LostMachine implements AutoCloseable {
        private final String machine;

        private LostMachine(String machine) {
            this.machine = machine;
        }

        /** As whoever looks after machines says that one does not come back: its pods may start elsewhere, with their volumes. */
        public void declareLost() {
            taints(machine, OUT_OF_SERVICE, true);
        }

        @Override
        public void close() {
            Program.run(DOCKER_MAX, List.of("docker", "start", containerOf(machine)));
            Eventually.await(
                    () -> machine + " is ready again; its log ends with " + logOf(machine),
                    MACHINE_READY_MAX,
                    () -> isReady(machine));
            taints(machine, OUT_OF_SERVICE, false);
        }
    }

    private static String logOf(String machine) {
        try {
            return Program.run(DOCKER_MAX, List.of("docker", "logs", "--tail", "20", containerOf(machine)))
                    + Program.run(
                            DOCKER_MAX,
                            List.of(
                                    "docker",
                                    "exec",
                                    containerOf(machine),
                                    "sh",
                                    "-c",
                                    "tail -n 20 /var/log/kube/*.log"));
        } catch (AssertionError e) {
            return "what could not be had: " + e.getMessage();
        }
    }

    /** Kubernetes changes a machine's taints itself meanwhile, as it goes and comes: what was changed is never overwritten, but looked at again. */
    private static void taints(String machine, Taint taint, boolean present) {
        Eventually.await(
                () -> machine + " has " + (present ? "" : "not ") + "the taint " + taint.getKey(), CHANGED_MAX, () -> {
                    Node node = CLIENT.nodes().withName(machine).get();
                    List<Taint> taints = new ArrayList<>(node.getSpec().getTaints());
                    taints.removeIf(other -> Objects.equals(other.getKey(), taint.getKey()));
                    if (present) {
                        taints.add(taint);
                    }
                    return isReplaced(
                            node.edit().editSpec().withTaints(taints).endSpec().build());
                });
    }

    /** Not if it is another one by now. */
    private static boolean isReplaced(Node node) {
        try {
            var _ = CLIENT.resource(node).update();
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            return false;
        }
    }
}
