package dev.kvorum.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The Kubernetes commands of README.md fit the charts, the samples and the images. The scenarios of the operator run the same steps on a real Kubernetes. */
@NeedsHelm
class ReadmeTest {
    private static final Path PROJECT = Path.of("..");
    private static final String DEFINITION = "kvorumclusters.kvorum.dev";

    @Test
    void imagesThatAreBuiltAreThoseOfTheDefinitionAndTheChart() {
        Object node = definition()
                .at(
                        "spec",
                        "versions",
                        0,
                        "schema",
                        "openAPIV3Schema",
                        "properties",
                        "spec",
                        "properties",
                        "image",
                        "default");
        Object operator = Chart.OPERATOR
                .manifest("Deployment", "kvorum-operator", "")
                .at("spec", "template", "spec", "containers", 0, "image");

        assertThat(commands()).contains("make image IMAGE=" + node + " OPERATOR_IMAGE=" + operator);
    }

    @Test
    void operatorIsInstalledFromItsChart() {
        assertThat(commands())
                .contains(
                        "helm install kvorum-operator charts/kvorum-operator --namespace kvorum-system --create-namespace");
        assertThat(Manifest.one(Chart.OPERATOR.file("Chart.yaml")).at("name")).isEqualTo("kvorum-operator");
    }

    @Test
    void sampleIsAClusterOfTheKindAndNameThatIsWaitedFor() {
        Manifest sample = Manifest.one(Manifests.read(Manifests.SAMPLES.resolve("minimal.yaml")));
        Manifest definition = definition();

        assertThat(sample.kind()).isEqualTo(definition.at("spec", "names", "kind"));
        assertThat(definition.at("spec", "names", "shortNames")).isEqualTo(List.of("kvc"));
        assertThat(commands())
                .containsSubsequence(
                        "kubectl apply --filename k8s/samples/minimal.yaml",
                        "kubectl wait --for=condition=Ready kvc/" + sample.name() + " --timeout=5m");
    }

    @Test
    void noOtherCommandUsesKubernetes() {
        assertThat(commands())
                .filteredOn(line -> line.matches("(helm|kubectl) .*"))
                .hasSize(3);
    }

    private static Manifest definition() {
        return Chart.OPERATOR.manifest("CustomResourceDefinition", DEFINITION, "");
    }

    private static List<String> commands() {
        return Manifests.read(PROJECT.resolve("README.md")).lines().toList();
    }
}
