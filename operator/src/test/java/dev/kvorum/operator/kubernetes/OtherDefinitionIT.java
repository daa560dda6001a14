package dev.kvorum.operator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.api.UnreadCluster;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The operator beside a definition that is not its own: it fills in no default, and lets every field and value pass. */
@Tag("check")
class OtherDefinitionIT {
    private ControlPlane controlPlane;
    private KubernetesClient client;
    private String namespace;
    private Clusters clusters;
    private Kubelets kubelets;
    private @Nullable RunningOperator operator;

    @BeforeEach
    void changeDefinition() {
        controlPlane = ControlPlane.running();
        client = controlPlane.client();
        namespace = controlPlane.newNamespace();
        clusters = new Clusters(client, namespace);
        kubelets = new Kubelets(client, namespace);
        controlPlane.defineWithoutSchema();
    }

    @AfterEach
    void restoreDefinition() {
        if (operator != null) {
            operator.close();
        }
        if (kubelets != null) {
            kubelets.close();
        }
        if (controlPlane != null) {
            client.resources(UnreadCluster.class).inNamespace(namespace).delete();
            controlPlane.defineClusters();
        }
    }

    @Test
    void oneClusterThatIsNotUnderstoodIsLeftAloneAndTheOthersGoOn() {
        create("odd", "{storage: {retention: Archive}}");
        createWithFieldBesideTheSpec("wider");
        create("worse", "{replicas: [3], zones: null}");
        create("worst", "nothing");
        operator = newOperator();
        change("{tier: gold, storage: {encryption: {key: k}}}"); // Not one default is filled in.

        clusters.awaitReady();

        assertThat(clusters.pods()).hasSize(3);
        Eventually.holds("wider has a status", () -> !conditions("wider").isEmpty());
        awaitNotUnderstood("odd", "spec.storage.retention is \"Archive\", but this operator knows Delete, Retain");
        awaitNotUnderstood("worse", "spec.replicas is [3], but must be an integer");
        awaitNotUnderstood("worst", "spec is \"nothing\", but must be an object");
        assertThat(client.apps().statefulSets().inNamespace(namespace).list().getItems())
                .extracting(set -> set.getMetadata().getName())
                .containsExactly("demo");
        assertThat(events("odd"))
                .extracting(Event::getType, Event::getReason, Event::getCount)
                .containsExactly(Tuple.tuple("Warning", "NotValid", 1));
    }

    @Test
    void aClusterThatIsNotUnderstoodAnyMoreGoesOnWhenItIsCorrected() {
        operator = newOperator();
        change("{}");
        clusters.awaitReady();

        change("{replicas: 4, durability: quorum}"); // The watch brings it.
        awaitNotUnderstood("demo", "spec.durability is \"quorum\", but this operator knows async, fsync");
        assertThat(clusters.pods()).hasSize(3);
        assertThat(conditions("demo"))
                .as("nobody looks at the nodes")
                .extracting(condition -> condition.get("type") + "=" + condition.get("status"))
                .contains("Available=Unknown", "Ready=False");
        assertThat(status("demo").get("members"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .as("the rest of the status stays")
                .hasSize(3);

        change("{replicas: 4, durability: async}");
        clusters.awaitReady();
        assertThat(clusters.pods()).hasSize(4);
    }

    @Test
    void aStatusThatIsRefusedAgainAndAgainIsToldByOneEventThatIsCounted() {
        controlPlane.defineWithPhase("Running");
        create("odd", "{storage: {retention: Archive}}");
        Eventually.holds("the status of odd can't be written", () -> refusesStatus("odd"));

        operator = newOperator();

        Eventually.holds(
                "it is told for the third time",
                () -> events("odd").stream().anyMatch(event -> event.getCount() >= 3),
                () -> events("odd").toString());
        assertThat(events("odd")).hasSize(1).allSatisfy(event -> {
            assertThat(event.getReason()).isEqualTo("NotValid");
            assertThat(event.getMessage()).contains("spec.storage.retention is \"Archive\"");
        });

        controlPlane.defineWithoutSchema();
        awaitNotUnderstood("odd", "spec.storage.retention is \"Archive\"");
        assertThat(events("odd")).hasSize(1);
    }

    private boolean refusesStatus(String name) {
        try {
            var _ = client.resources(UnreadCluster.class)
                    .inNamespace(namespace)
                    .withName(name)
                    .subresource("status")
                    .patch(
                            new PatchContext.Builder()
                                    .withPatchType(PatchType.JSON_MERGE)
                                    .withDryRun(List.of("All"))
                                    .build(),
                            "{\"status\": {\"phase\": \"Invalid\"}}");
            return false;
        } catch (KubernetesClientException e) {
            return e.getCode() == 422;
        }
    }

    private List<Event> events(String name) {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getInvolvedObject().getName().equals(name))
                .toList();
    }

    /** As a newer operator may have left it. */
    @Test
    void aStatusOfANewerOperatorIsReplaced() {
        create("demo", "{}");
        var _ = client.resources(UnreadCluster.class)
                .inNamespace(namespace)
                .withName("demo")
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"status\": {\"phase\": \"Hibernating\", \"conditions\": \"none\", \"epoch\": {\"of\": 7}}}");

        operator = newOperator();

        Eventually.holds("the status is another", () -> status("demo").get("conditions") instanceof List);
        clusters.awaitReady();
    }

    /** As it was stored before the definition had a rule about it. */
    @Test
    void aStoredPeerThatIsNoNetworkLeavesThePortsClosedAndIsTold() {
        create("demo", "{monitoring: {from: [{ipBlock: {cidr: everywhere}}]}}");
        controlPlane.defineClusters();

        operator = newOperator();

        clusters.awaitCondition("Degraded", "True", "Failing");
        assertThat(clusters.status().orElseThrow().lastError())
                .startsWith("the API server refuses the NetworkPolicy demo-monitoring: ")
                .contains("everywhere");
        clusters.awaitCondition("Available", "True", "Quorum");
        assertThat(client.network()
                        .v1()
                        .networkPolicies()
                        .inNamespace(namespace)
                        .list()
                        .getItems())
                .extracting(policy -> policy.getMetadata().getName())
                .containsExactly("demo-peers");
    }

    private RunningOperator newOperator() {
        return new RunningOperator(controlPlane.newClient(), namespace, new StandInNodes(client, namespace));
    }

    private void change(String spec) {
        var _ = client.resource(Clusters.unread("demo", namespace, spec))
                .fieldManager("user")
                .forceConflicts()
                .serverSideApply();
    }

    private void create(String name, String spec) {
        var _ = client.resource(Clusters.unread(name, namespace, spec)).create();
    }

    private void createWithFieldBesideTheSpec(String name) {
        GenericKubernetesResource cluster = Clusters.unread(name, namespace, "{paused: true}");
        cluster.setAdditionalProperty("data", 3);
        var _ = client.resource(cluster).create();
    }

    private void awaitNotUnderstood(String name, String message) {
        Eventually.holds(
                name + " is not understood: " + message,
                () -> condition(name, "Valid")
                                .filter(valid ->
                                        String.valueOf(valid.get("message")).startsWith(message))
                                .isPresent()
                        && condition(name, "Ready").isPresent(),
                () -> String.valueOf(status(name)));
    }

    private Optional<Map<String, Object>> condition(String name, String type) {
        return conditions(name).stream()
                .filter(condition -> type.equals(condition.get("type"))
                        && "False".equals(condition.get("status"))
                        && "NotUnderstood".equals(condition.get("reason")))
                .findFirst();
    }

    @SuppressWarnings("unchecked")
    private List<Map<String, Object>> conditions(String name) {
        return (List<Map<String, Object>>) status(name).getOrDefault("conditions", List.of());
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> status(String name) {
        GenericKubernetesResource cluster = client.genericKubernetesResources("kvorum.dev/v1alpha1", "KvorumCluster")
                .inNamespace(namespace)
                .withName(name)
                .get();
        return (Map<String, Object>) cluster.getAdditionalProperties().getOrDefault("status", Map.of());
    }
}
