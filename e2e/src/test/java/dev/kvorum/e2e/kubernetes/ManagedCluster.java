package dev.kvorum.e2e.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvorum.e2e.cluster.Eventually;
import dev.kvorum.e2e.record.Endpoint;
import dev.kvorum.e2e.record.Recorder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The KvorumCluster "demo" of a namespace of its own, as its user sees it. Closing removes both. */
public final class ManagedCluster implements AutoCloseable {
    public static final String NAME = "demo";

    /** On each namespace that a scenario has made. */
    static final String LABEL = "kvorum.dev/e2e";

    private static final Duration READY_MAX = Duration.ofMinutes(8);
    static final ResourceDefinitionContext KIND = new ResourceDefinitionContext.Builder()
            .withGroup("kvorum.dev")
            .withVersion("v1alpha1")
            .withKind("KvorumCluster")
            .withPlural("kvorumclusters")
            .withNamespaced(true)
            .build();

    private final String namespace;
    private final ReadyPods ready;
    private final Recorder recorder;

    ManagedCluster(String namespace) {
        this.namespace = namespace;
        var _ = client().namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .addToLabels(LABEL, "true")
                        .endMetadata()
                        .build())
                .create();
        ready = new ReadyPods(namespace, NAME);
        recorder = new Recorder(Path.of("target", "kube-runs", namespace, "history.jsonl"));
    }

    public String namespace() {
        return namespace;
    }

    /** What clients saw. */
    public Recorder recorder() {
        return recorder;
    }

    /** Nodes that clients may be sent to, at this time. */
    public List<Endpoint> endpoints() {
        return ready.endpoints();
    }

    /** As {@code kubectl apply --server-side}. */
    public void apply(String spec) {
        applyResource("""
                apiVersion: kvorum.dev/v1alpha1
                kind: KvorumCluster
                metadata: {name: %s, namespace: %s}
                spec: %s
                """.formatted(NAME, namespace, spec));
    }

    /** @param yaml with any spec; the namespace is that of the scenario, and the image, unless it names one, that which is tested */
    public void applyResource(String yaml) {
        GenericKubernetesResource resource =
                client().getKubernetesSerialization().unmarshal(yaml, GenericKubernetesResource.class);
        resource.getMetadata().setNamespace(namespace);
        Map<String, Object> spec = new TreeMap<>();
        spec.put("image", Image.node().toString());
        Map<String, Object> asked = resource.get("spec");
        if (asked != null) {
            spec.putAll(asked);
        }
        resource.setAdditionalProperty("spec", spec);
        var _ = client().genericKubernetesResources(KIND)
                .inNamespace(namespace)
                .resource(resource)
                .fieldManager("user")
                .forceConflicts()
                .serverSideApply();
    }

    /** Makes it by its chart. */
    public void installChart(String... values) {
        List<String> all = new ArrayList<>(List.of(values));
        all.add("image=" + Image.node());
        all.add("test.image=" + Image.client());
        Helm.install(NAME, "kvorum-cluster", namespace, all.toArray(String[]::new));
    }

    /** @return what {@code helm test} prints */
    public String testChart() {
        return Helm.test(NAME, namespace);
    }

    /** As {@code kubectl scale}. */
    public void scale(int replicas) {
        var _ = resource().scale(replicas);
    }

    /** As {@code kubectl annotate}. */
    public void annotate(String annotation, String value) {
        var _ = resource().edit(found -> {
            found.getMetadata().getAnnotations().put(annotation, value);
            return found;
        });
    }

    public void delete() {
        var _ = resource().delete();
    }

    private Resource<GenericKubernetesResource> resource() {
        return client().genericKubernetesResources(KIND).inNamespace(namespace).withName(NAME);
    }

    /** All of it as JSON; empty where there is none. */
    public Optional<JsonNode> document() {
        return Optional.ofNullable(resource().get())
                .map(found -> client().getKubernetesSerialization().convertValue(found, JsonNode.class));
    }

    public JsonNode status() {
        return document()
                .map(found -> found.path("status"))
                .orElseThrow(() -> new AssertionError("there is no cluster " + NAME));
    }

    /** Tells of each state from now on, until it is closed. */
    public ClusterWatch watch(Consumer<JsonNode> told) {
        return new ClusterWatch(resource(), told);
    }

    /** Whether a condition is so, and about the present spec. */
    public boolean is(String type, String value, Predicate<String> reason) {
        JsonNode document = document().orElseThrow();
        for (JsonNode condition : document.path("status").path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return condition.path("status").asText().equals(value)
                        && reason.test(condition.path("reason").asText())
                        && condition.path("observedGeneration").asLong()
                                == document.path("metadata").path("generation").asLong();
            }
        }
        return false;
    }

    /** Whether there is one, and every key has its quorum. */
    public boolean isServing() {
        return document().isPresent()
                && is("Available", "True", reason -> true)
                && !endpoints().isEmpty();
    }

    /** Blocks until it is as the latest spec asks, and that is known here, too: of each member, that it is ready. */
    public void awaitReady() {
        await("the cluster is ready", () -> is("Ready", "True", reason -> true));
        await("its members are ready", () -> ready.names().containsAll(members()));
    }

    /** Blocks until a condition is so, for that reason. */
    public void awaitCondition(String type, String value, String reason) {
        await(type + " is " + value + " because of " + reason, () -> is(type, value, reason::equals));
    }

    /** Blocks until something is so; fails with the status. */
    public void await(String what, BooleanSupplier condition) {
        Eventually.await(
                () -> what + "; the status is "
                        + document()
                                .map(found -> found.path("status").toPrettyString())
                                .orElse("none"),
                READY_MAX,
                condition);
    }

    /** Ids of those that are members and stay so, by the status. */
    public List<String> members() {
        List<String> members = new ArrayList<>();
        for (JsonNode member : status().path("members")) {
            if (member.path("state").asText().equals("ACTIVE")) {
                members.add(member.path("id").asText());
            }
        }
        return members;
    }

    /** The present pods by name. */
    public Map<String, Pod> pods() {
        Map<String, Pod> pods = new TreeMap<>();
        client().pods()
                .inNamespace(namespace)
                .withLabel("app.kubernetes.io/instance", NAME)
                .list()
                .getItems()
                .forEach(pod -> pods.put(pod.getMetadata().getName(), pod));
        return pods;
    }

    /** Which pods there are, and which life of each: another where one was replaced or its container started again. */
    public Map<String, String> lives() {
        Map<String, String> lives = new TreeMap<>();
        pods().forEach((name, pod) -> lives.put(
                name,
                pod.getMetadata().getUid()
                        + pod.getStatus().getContainerStatuses().stream()
                                .map(container -> "/" + container.getRestartCount())
                                .toList()));
        return lives;
    }

    /** One of them; empty if there is no such pod. */
    public String lifeOf(String pod) {
        return lives().getOrDefault(pod, "");
    }

    /** Where a pod runs. */
    public String machineOf(String pod) {
        return Objects.requireNonNull(pods().get(pod), pod).getSpec().getNodeName();
    }

    /** @param graceSeconds 0 ends it at once */
    public void deletePod(String name, long graceSeconds) {
        Kubernetes.deletePod(namespace, name, graceSeconds);
    }

    /** The claims of volumes by name. */
    public Map<String, PersistentVolumeClaim> claims() {
        Map<String, PersistentVolumeClaim> claims = new TreeMap<>();
        client().persistentVolumeClaims()
                .inNamespace(namespace)
                .list()
                .getItems()
                .forEach(claim -> claims.put(claim.getMetadata().getName(), claim));
        return claims;
    }

    /** Empty if there is no such claim. */
    public String uidOfClaim(String name) {
        PersistentVolumeClaim claim = claims().get(name);
        return claim == null ? "" : claim.getMetadata().getUid();
    }

    public void deleteClaim(String name) {
        var _ = client().persistentVolumeClaims()
                .inNamespace(namespace)
                .withName(name)
                .delete();
    }

    /** Reasons of the events that the operator has written about the cluster. */
    public List<String> events() {
        return client().v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> Objects.equals(event.getInvolvedObject().getKind(), "KvorumCluster"))
                .map(Event::getReason)
                .toList();
    }

    private static KubernetesClient client() {
        return Kubernetes.client();
    }

    @Override
    public void close() {
        ready.close();
        recorder.close();
        var _ = client().namespaces().withName(namespace).delete();
    }
}
