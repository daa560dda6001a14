package dev.kvorum.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The chart of one cluster. */
@NeedsHelm
class ClusterChartTest {
    private static final String KILLING = "test: {killPod: true}";

    @Test
    void isOneResourceNamedAsTheRelease() {
        List<Manifest> installed = Chart.CLUSTER.manifests("").stream()
                .filter(manifest -> manifest.at("metadata", "annotations", Chart.HOOK) == null)
                .toList();

        assertThat(installed).hasSize(1);
        assertThat(installed.getFirst().kind()).isEqualTo("KvorumCluster");
        assertThat(installed.getFirst().name()).isEqualTo("demo");
        assertThat(cluster("kept", "name: kept").name()).isEqualTo("kept");
    }

    @Test
    void whatIsNotGivenIsLeftToTheDefaultsOfTheDefinition() {
        assertThat(cluster("demo", "").at("spec")).isEqualTo(Map.of("replicas", 3, "storage", Map.of("size", "10Gi")));
    }

    @Test
    void everyFieldOfTheSpecIsAValue() {
        Manifest schema = Manifest.one(Chart.CLUSTER.file("values.schema.json"));

        TreeSet<String> values =
                new TreeSet<>(schema.part("properties").content().keySet());
        values.removeAll(List.of("global", "name", "test"));
        assertThat(values)
                .isEqualTo(new TreeSet<>(spec().part("properties").content().keySet()));
        for (String section : List.of("quorum", "storage", "pod", "monitoring", "scaling", "resources")) {
            assertThat(schema.part("properties", section, "properties")
                            .content()
                            .keySet())
                    .as(section)
                    .containsExactlyInAnyOrderElementsOf(spec().part("properties", section, "properties")
                            .content()
                            .keySet());
        }
    }

    @Test
    void whatIsGivenIsInTheSpec() {
        Manifest cluster = cluster("demo", """
                replicas: 5
                replicationFactor: 3
                zones: [a, b, c]
                spread: Required
                quorum: {write: 3}
                storage: {storageClassName: local}
                durability: fsync
                resources: {limits: {memory: 4Gi}}
                imagePullSecrets: [{name: registry}]
                pod: {priorityClassName: data, labels: {team: shop}}
                monitoring: {podMonitor: true, from: [{ipBlock: {cidr: 10.9.0.0/16}}]}
                scaling: {approval: Manual}
                paused: false
                """);

        assertThat(cluster.part("spec").content())
                .containsEntry("replicas", 5)
                .containsEntry("zones", List.of("a", "b", "c"))
                .containsEntry("quorum", Map.of("write", 3))
                .containsEntry("storage", Map.of("size", "10Gi", "storageClassName", "local"))
                .containsEntry("resources", Map.of("limits", Map.of("memory", "4Gi")))
                .containsEntry("imagePullSecrets", List.of(Map.of("name", "registry")))
                .containsEntry("pod", Map.of("priorityClassName", "data", "labels", Map.of("team", "shop")))
                .containsEntry(
                        "monitoring",
                        Map.of("podMonitor", true, "from", List.of(Map.of("ipBlock", Map.of("cidr", "10.9.0.0/16")))))
                .containsEntry("paused", false);
    }

    @Test
    void malformedValuesAreRefusedByName() {
        Map<String, String> refused = Map.of(
                "replicas: none", "/replicas",
                "storage: {size: much}", "/storage/size",
                "durability: sometimes", "/durability",
                "zones: [Zone_A]", "/zones/0",
                "quorum: {read: -1}", "/quorum/read",
                "monitoring: {from: [{}]}", "/monitoring/from/0",
                "name: 1st", "/name");

        refused.forEach((values, named) -> assertThatThrownBy(() -> Chart.CLUSTER.render(values))
                .as(values)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(named));
    }

    @Test
    void testRunsInARestrictedPodAndKillsNothingUnlessAskedTo() {
        Manifest pod = Chart.CLUSTER.manifest("Pod", "demo-test", "");

        RestrictedPods.assertRestricted(pod.part("spec"));
        assertThat(pod.at("metadata", "annotations", Chart.HOOK)).isEqualTo("test");
        assertThat(pod.at("spec", "automountServiceAccountToken")).isEqualTo(false);
        assertThat(pod.at("spec", "enableServiceLinks")).isEqualTo(false);
        assertThat(Chart.CLUSTER.manifests("")).extracting(Manifest::kind).doesNotContain("Role", "RoleBinding");
    }

    @Test
    void testThatKillsAPodMayDeletePodsAndNothingElse() {
        Manifest role = Chart.CLUSTER.manifest("Role", "demo-test", KILLING);

        assertThat(role.parts("rules")).hasSize(1);
        assertThat(role.at("rules", 0, "resources")).isEqualTo(List.of("pods"));
        assertThat(Chart.CLUSTER.manifest("Pod", "demo-test", KILLING).at("spec", "automountServiceAccountToken"))
                .isEqualTo(true);
    }

    private static Manifest cluster(String name, String values) {
        return Chart.CLUSTER.manifest("KvorumCluster", name, values);
    }

    private static Manifest spec() {
        return Manifest.one(Manifests.read(Manifests.CRDS.resolve(Manifests.DEFINITION)))
                .part("spec", "versions", 0, "schema", "openAPIV3Schema", "properties", "spec");
    }
}
