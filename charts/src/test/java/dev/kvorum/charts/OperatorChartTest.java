package dev.kvorum.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The chart of the operator. */
@NeedsHelm
class OperatorChartTest {
    private static final String NAME = "kvorum-operator";

    @Test
    void twoReplicasOfWhichOneWorks() {
        Manifest deployment = deployment("");

        assertThat(deployment.at("spec", "replicas")).isEqualTo(2);
        assertThat(variables(deployment))
                .contains("KVORUM_OPERATOR_LEASE", "KVORUM_OPERATOR_NAMESPACE", "KVORUM_OPERATOR_POD");
        assertThat(Chart.OPERATOR.manifest("Role", NAME + "-leader", "").at("rules", 0, "resources"))
                .isEqualTo(List.of("leases"));
    }

    @Test
    void drainsLeaveOneOfTwoReplicasAndDoNotWaitForASingleOne() {
        Manifest budget = Chart.OPERATOR.manifest("PodDisruptionBudget", NAME, "");

        assertThat(budget.at("spec", "maxUnavailable")).isEqualTo(1);
        assertThat(Chart.OPERATOR.manifests("replicas: 1"))
                .extracting(Manifest::kind)
                .doesNotContain("PodDisruptionBudget");
    }

    @Test
    void podsAreRestricted() {
        RestrictedPods.assertRestricted(deployment("").part("spec", "template", "spec"));
    }

    /** A Service kvorum-operator-management would otherwise set KVORUM_OPERATOR_MANAGEMENT_PORT to tcp://... */
    @Test
    void noServiceOfTheNamespaceChangesASetting() {
        assertThat(deployment("").at("spec", "template", "spec", "enableServiceLinks"))
                .isEqualTo(false);
    }

    @Test
    void selectorFindsThePods() {
        Manifest deployment = deployment("pod: {labels: {team: storage}}");

        Manifest labels = deployment.part("spec", "template", "metadata", "labels");
        assertThat(labels.content())
                .containsAllEntriesOf(
                        deployment.part("spec", "selector", "matchLabels").content());
        assertThat(labels.at("team")).isEqualTo("storage");
    }

    @Test
    void definitionIsATemplateThatUninstallingKeeps() {
        Manifest definition = definition("");

        assertThat(definition.at("metadata", "annotations", "helm.sh/resource-policy"))
                .isEqualTo("keep");
        assertThat(Chart.OPERATOR.directory().resolve("crds"))
                .as("Helm never upgrades what is there")
                .doesNotExist();
    }

    @Test
    void definitionIsRenderedAsItWasGenerated() {
        Manifest generated = Manifest.one(Chart.OPERATOR.file("files/" + Manifests.DEFINITION));

        assertThat(definition("").part("spec").withWholeNumbers())
                .isEqualTo(generated.part("spec").withWholeNumbers());
    }

    @Test
    void definitionIsLeftOutWhenSomebodyElseBringsIt() {
        assertThat(Chart.OPERATOR.manifests("crds: {install: false}"))
                .extracting(Manifest::kind)
                .doesNotContain("CustomResourceDefinition");
    }

    @Test
    void operatorMayNeitherReadSecretsNorRunCommandsNorGrantRights() {
        assertThat(rules(Chart.OPERATOR.manifests(""))).isNotEmpty().allSatisfy(rule -> {
            assertThat(rule.text("resources")).doesNotContain("secrets", "pods/exec", "roles", "*");
            assertThat(rule.text("verbs")).doesNotContain("*", "escalate", "bind", "impersonate", "deletecollection");
        });
    }

    @Test
    void rightsEndAtTheNamespacesThatAreWatched() {
        List<Manifest> manifests = Chart.OPERATOR.manifests("watchNamespaces: [shop, bank]");

        assertThat(manifests)
                .filteredOn(manifest ->
                        manifest.kind().equals("Role") && manifest.name().equals(NAME))
                .extracting(manifest -> manifest.at("metadata", "namespace"))
                .containsExactlyInAnyOrder("shop", "bank");
        assertThat(manifests).extracting(Manifest::kind).doesNotContain("ClusterRole", "ClusterRoleBinding");
        Manifest variable = container(deployment("watchNamespaces: [shop, bank]")).parts("env").stream()
                .filter(candidate -> candidate.text("name").equals("KVORUM_OPERATOR_WATCH_NAMESPACES"))
                .findFirst()
                .orElseThrow();
        assertThat(variable.at("value")).isEqualTo("shop,bank");
    }

    @Test
    void everyBindingNamesARoleAndTheAccountOfTheChart() {
        List<Manifest> manifests = Chart.OPERATOR.manifests("serviceAccount: {name: robot}");

        assertThat(manifests)
                .filteredOn(manifest -> manifest.kind().endsWith("Binding"))
                .isNotEmpty()
                .allSatisfy(binding -> {
                    assertThat(binding.at("subjects", 0, "name")).isEqualTo("robot");
                    assertThat(manifests).anySatisfy(role -> {
                        assertThat(role.kind()).isEqualTo(binding.text("roleRef", "kind"));
                        assertThat(role.name()).isEqualTo(binding.text("roleRef", "name"));
                    });
                });
        assertThat(Chart.OPERATOR
                        .manifest("ServiceAccount", "robot", "serviceAccount: {name: robot}")
                        .content())
                .isNotEmpty();
    }

    @Test
    void imageIsThatOfTheVersionUnlessAnotherIsGiven() {
        assertThat(container(deployment("")).at("image")).isEqualTo("kvorum/operator:0.1.0");
        assertThat(container(deployment("image: {repository: registry:5000/kvorum, tag: next}"))
                        .at("image"))
                .isEqualTo("registry:5000/kvorum:next");
    }

    @Test
    void malformedValuesAreRefusedByName() {
        Map<String, String> refused = Map.of(
                "replicas: 0", "/replicas",
                "image: {pullPolicy: Sometimes}", "/image/pullPolicy",
                "logLevel: CHATTY", "/logLevel",
                "watchNamespaces: [Shop]", "/watchNamespaces/0",
                "resources: {limits: {memory: much}}", "/resources/limits/memory");

        refused.forEach((values, named) -> assertThatThrownBy(() -> Chart.OPERATOR.render(values))
                .as(values)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(named));
    }

    private static Manifest deployment(String values) {
        return Chart.OPERATOR.manifest("Deployment", NAME, values);
    }

    private static Manifest definition(String values) {
        return Chart.OPERATOR.manifest("CustomResourceDefinition", "kvorumclusters.kvorum.dev", values);
    }

    private static Manifest container(Manifest deployment) {
        return deployment.part("spec", "template", "spec", "containers", 0);
    }

    private static List<String> variables(Manifest deployment) {
        return container(deployment).parts("env").stream()
                .map(variable -> variable.text("name"))
                .toList();
    }

    private static List<Manifest> rules(List<Manifest> manifests) {
        List<Manifest> rules = new ArrayList<>();
        manifests.forEach(manifest -> rules.addAll(manifest.parts("rules")));
        return rules;
    }
}
