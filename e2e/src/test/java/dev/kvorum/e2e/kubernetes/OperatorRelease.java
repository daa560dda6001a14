package dev.kvorum.e2e.kubernetes;

import dev.kvorum.e2e.cluster.Eventually;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The operator, installed by Helm once for all scenarios, and removed after the last, with its definition where there was none before. */
public final class OperatorRelease implements AutoCloseable {
    /**
     * The lock of scenarios that end or replace the operator's pods: one at a time. Others run meanwhile, and have to get through it as the clusters of users do.
     */
    public static final String LOCK = "operator";

    /** Where it is installed. */
    public static final String NAMESPACE = "kvorum-e2e-system";

    // The name of the chart, and of all that is in it.
    private static final String RELEASE = "kvorum-operator";
    private static final String DEFINITION = "kvorumclusters.kvorum.dev";
    private static final int LOG_LINES = 20;
    private static final Duration REMOVED_MAX = Duration.ofMinutes(5);

    private final boolean wasDefined;

    private OperatorRelease() {
        requireNoOther();
        wasDefined = definition();
        if (wasDefined) {
            requireNoClusters();
        }
        try {
            Helm.install(
                    RELEASE,
                    RELEASE,
                    NAMESPACE,
                    "image.repository=" + Image.operator().repository(),
                    "image.tag=" + Image.operator().tag());
        } catch (RuntimeException | Error e) {
            throw new IllegalStateException("The operator could not be installed. Its pods: " + told(), e);
        }
    }

    /** The one of this run; installed when the first scenario asks. Each scenario fails with the cause if that fails. */
    public static OperatorRelease of(ExtensionContext scenario) {
        return scenario.getRoot()
                .getStore(ExtensionContext.Namespace.create(OperatorRelease.class))
                .computeIfAbsent(OperatorRelease.class, type -> Attempt.make(), Attempt.class)
                .release();
    }

    /** To install the operator. One for all scenarios, as each takes minutes to fail. */
    private record Attempt(
            @Nullable OperatorRelease installed, @Nullable Throwable failure) implements AutoCloseable {
        static Attempt make() {
            try {
                return new Attempt(new OperatorRelease(), null);
            } catch (RuntimeException | Error e) {
                return new Attempt(null, e);
            }
        }

        OperatorRelease release() {
            if (installed == null) {
                throw new IllegalStateException("No scenario can run: " + failure, failure);
            }
            return installed;
        }

        @Override
        public void close() {
            if (installed != null) {
                installed.close();
            }
        }
    }

    /** The state of each pod, and the end of its log: that of the container that ended, if one did. */
    private List<String> told() {
        return pods().stream()
                .map(pod ->
                        pod.getMetadata().getName() + " is " + pod.getStatus().getPhase() + ", and logged: " + log(pod))
                .toList();
    }

    private static String log(Pod pod) {
        PodResource resource = client().pods().resource(pod);
        boolean ended =
                pod.getStatus().getContainerStatuses().stream().anyMatch(container -> container.getRestartCount() > 0);
        try {
            return (ended ? resource.terminated() : resource)
                    .tailingLines(LOG_LINES)
                    .getLog();
        } catch (KubernetesClientException e) {
            return "(its log can't be had: " + e.getMessage() + ")";
        }
    }

    /** Two operators would not agree about whose clusters are whose. */
    private static void requireNoOther() {
        List<String> others = client()
                .apps()
                .deployments()
                .inAnyNamespace()
                .withLabel("app.kubernetes.io/name", RELEASE)
                .list()
                .getItems()
                .stream()
                .map(deployment -> deployment.getMetadata().getNamespace() + "/"
                        + deployment.getMetadata().getName())
                .toList();
        if (!others.isEmpty()) {
            throw new IllegalStateException("This Kubernetes has an operator already: " + others
                    + ". Remove it first (helm uninstall), or use another Kubernetes (KUBECONFIG)");
        }
    }

    /** This one would take them over. */
    private static void requireNoClusters() {
        List<String> clusters =
                client().genericKubernetesResources(ManagedCluster.KIND).inAnyNamespace().list().getItems().stream()
                        .map(cluster -> cluster.getMetadata().getNamespace() + "/"
                                + cluster.getMetadata().getName())
                        .toList();
        if (!clusters.isEmpty()) {
            throw new IllegalStateException("This Kubernetes has clusters already: " + clusters
                    + ". Delete them first, or use another Kubernetes (KUBECONFIG)");
        }
    }

    private static boolean definition() {
        return client().apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .withName(DEFINITION)
                        .get()
                != null;
    }

    /** With other values of its chart: its pods are replaced, and nothing else may be. */
    public void upgrade(String... values) {
        Helm.upgrade(RELEASE, RELEASE, NAMESPACE, values);
    }

    public List<Pod> pods() {
        return client().pods()
                .inNamespace(NAMESPACE)
                .withLabel("app.kubernetes.io/name", RELEASE)
                .list()
                .getItems();
    }

    /** The pod that acts, while the others wait; empty where none does. */
    public String leader() {
        Lease lease = client().leases().inNamespace(NAMESPACE).withName(RELEASE).get();
        String holder = lease == null ? null : lease.getSpec().getHolderIdentity();
        return holder == null ? "" : holder;
    }

    /** Whether there is a pod that acts. Just after that was killed there is none, until another has taken over. */
    public boolean acts() {
        return acting().isPresent();
    }

    private Optional<Pod> acting() {
        String leader = leader();
        return pods().stream()
                .filter(pod -> pod.getMetadata().getName().equals(leader))
                .findAny();
    }

    /**
     * Ends the one that acts, and that one alone, without a moment to finish anything.
     *
     * @return its name; empty where none acted
     */
    public String killLeader() {
        Optional<Pod> acting = acting();
        acting.ifPresent(Kubernetes::killPod);
        return acting.map(pod -> pod.getMetadata().getName()).orElse("");
    }

    /**
     * Ends all of its pods, the one that acts before the others, without a moment to finish anything. Others are started by Kubernetes.
     *
     * @return whether there was one that acted
     */
    public boolean kill() {
        boolean acted = !killLeader().isEmpty();
        pods().forEach(Kubernetes::killPod);
        return acted;
    }

    @Override
    public void close() {
        Helm.uninstall(RELEASE, NAMESPACE);
        if (!wasDefined) {
            var _ = client().apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName(DEFINITION)
                    .delete();
        }
        var _ = client().namespaces().withName(NAMESPACE).delete();
        Eventually.await(
                () -> "nothing of operator and scenarios is left; there are " + left(),
                REMOVED_MAX,
                () -> namespaces().isEmpty() && wasDefined == definition());
    }

    /** Those of the operator and of scenarios. */
    private static List<Namespace> namespaces() {
        return client().namespaces().list().getItems().stream()
                .filter(namespace -> namespace.getMetadata().getName().equals(NAMESPACE)
                        || namespace.getMetadata().getLabels().containsKey(ManagedCluster.LABEL))
                .toList();
    }

    /** What keeps Kubernetes from removing it, by its own words. */
    private List<String> left() {
        List<String> left = new ArrayList<>();
        if (wasDefined != definition()) {
            left.add(DEFINITION);
        }
        for (Namespace namespace : namespaces()) {
            String name = namespace.getMetadata().getName();
            left.add(name + ": "
                    + namespace.getStatus().getConditions().stream()
                            .map(condition -> condition.getType() + "=" + condition.getStatus() + " ("
                                    + condition.getMessage() + ")")
                            .toList());
            client().pods().inNamespace(name).list().getItems().stream()
                    .map(pod -> pod.getMetadata().getName() + " on "
                            + pod.getSpec().getNodeName() + ", to be deleted since "
                            + pod.getMetadata().getDeletionTimestamp())
                    .forEach(left::add);
        }
        client().nodes().list().getItems().stream()
                .map(node -> node.getMetadata().getName())
                .filter(machine -> !Kubernetes.isReady(machine))
                .map(machine -> machine + " is not ready")
                .forEach(left::add);
        return left;
    }

    private static KubernetesClient client() {
        return Kubernetes.client();
    }
}
