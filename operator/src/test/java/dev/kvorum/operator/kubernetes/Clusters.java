package dev.kvorum.operator.kubernetes;

import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The cluster "demo" of a namespace, as its user sees it. */
final class Clusters {
    private final KubernetesClient client;
    private final String namespace;

    Clusters(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /** Makes it, or changes it, as {@code kubectl apply} does on the side of the server. */
    KvorumCluster apply(String spec) {
        var _ = client.resource(unread("demo", namespace, spec))
                .fieldManager("user")
                .forceConflicts()
                .serverSideApply();
        return demo().get();
    }

    /** One as it is written, with what the operator does not know. */
    static GenericKubernetesResource unread(String name, String namespace, String spec) {
        return new KubernetesSerialization()
                .unmarshal("""
                apiVersion: kvorum.dev/v1alpha1
                kind: KvorumCluster
                metadata: {name: %s, namespace: %s}
                spec: %s
                """.formatted(name, namespace, spec), GenericKubernetesResource.class);
    }

    Resource<KvorumCluster> demo() {
        return client.resources(KvorumCluster.class).inNamespace(namespace).withName("demo");
    }

    Optional<KvorumClusterStatus> status() {
        return Optional.ofNullable(demo().get()).map(KvorumCluster::getStatus);
    }

    void awaitReady() {
        Eventually.holds(
                "the cluster is ready for its latest spec",
                () -> {
                    KvorumCluster cluster = demo().get();
                    KvorumClusterStatus status = cluster.getStatus();
                    return status != null
                            && status.observedGeneration()
                                    == cluster.getMetadata().getGeneration()
                            && is(status, "Ready", "True");
                },
                () -> status() + " " + sets());
    }

    /** How far Kubernetes has got with them. */
    private List<String> sets() {
        return client.apps().statefulSets().inNamespace(namespace).list().getItems().stream()
                .map(set -> set.getMetadata() + " " + set.getStatus())
                .toList();
    }

    void awaitCondition(String type, String value, String reason) {
        Eventually.holds(
                type + " is " + value + " because of " + reason,
                () -> status().map(status -> condition(status, type)
                                .filter(condition -> condition.getStatus().equals(value)
                                        && condition.getReason().equals(reason))
                                .isPresent())
                        .orElse(false),
                () -> String.valueOf(status()));
    }

    void awaitTopology(String what, Predicate<Topology> condition) {
        Eventually.holds(what, () -> topology().filter(condition).isPresent(), () -> topology() + " " + status());
    }

    Optional<Topology> topology() {
        return Optional.ofNullable(client.configMaps()
                        .inNamespace(namespace)
                        .withName("demo-topology")
                        .get())
                .map(map -> TopologyJson.read(map.getData().get("topology.json").getBytes(StandardCharsets.UTF_8)));
    }

    List<Pod> pods() {
        return client.pods().inNamespace(namespace).list().getItems();
    }

    Pod pod(String name) {
        return client.pods().inNamespace(namespace).withName(name).get();
    }

    List<String> volumes() {
        return client.persistentVolumeClaims().inNamespace(namespace).list().getItems().stream()
                .map(claim -> claim.getMetadata().getName())
                .sorted()
                .toList();
    }

    private static boolean is(KvorumClusterStatus status, String type, String value) {
        return condition(status, type)
                .filter(condition -> condition.getStatus().equals(value))
                .isPresent();
    }

    private static Optional<Condition> condition(KvorumClusterStatus status, String type) {
        return status.conditions().stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }
}
