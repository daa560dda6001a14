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
    void operatorIsInstalledFromItsChartWithTheImageThatIsBuilt() {
        assertThat(commands())
                .contains(
                        "make operator-image OPERATOR_IMAGE="
                                + Chart.OPERATOR
                                        .manifest("Deployment", "kvorum-operator", "")
                                        .at("spec", "template", "spec", "containers", 0, "image"),
                        "helm install kvorum-operator charts/kvorum-operator --namespace kvorum-system --create-namespace");
        assertThat(Manifest.one(Chart.OPERATOR.file("Chart.yaml")).at("name")).isEqualTo("kvorum-operator");
    }

    @Test
    void sampleIsAClusterOfTheKindAndNameThatIsWaitedForWithTheImageThatIsBuilt() {
        Manifest sample = Manifest.one(Manifests.read(Manifests.SAMPLES.resolve("minimal.yaml")));
        Manifest definition = Chart.OPERATOR.manifest("CustomResourceDefinition", DEFINITION, "");
        Object image = definition.at(
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

        assertThat(sample.kind()).isEqualTo(definition.at("spec", "names", "kind"));
        assertThat(definition.at("spec", "names", "shortNames")).isEqualTo(List.of("kvc"));
        assertThat(commands())
                .containsSubsequence(
                        "make image IMAGE=" + image,
                        "kubectl apply --filename k8s/samples/minimal.yaml",
                        "kubectl wait --for=condition=Ready kvc/" + sample.name() + " --timeout=5m");
    }

    @Test
    void noOtherCommandUsesKubernetes() {
        assertThat(commands())
                .filteredOn(line -> line.matches("(helm|kubectl) .*"))
                .hasSize(3);
    }

    private static List<String> commands() {
        return Manifests.read(PROJECT.resolve("README.md")).lines().toList();
    }
}
