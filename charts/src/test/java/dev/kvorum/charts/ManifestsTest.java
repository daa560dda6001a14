package dev.kvorum.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The manifests of {@code k8s/} are what the charts render to; {@code make docs} writes them anew. */
@NeedsHelm
class ManifestsTest {
    private static final boolean WRITE = Boolean.getBoolean("kvorum.manifests.write");

    @Test
    void operatorIsWhatTheChartRendersTo() throws IOException {
        Map<String, String> rendered = Chart.OPERATOR.renderByTemplate("crds: {install: false}");

        for (Map.Entry<String, String> template : rendered.entrySet()) {
            String expected = "# From the chart kvorum-operator, by `make docs`; not to be edited.\n"
                    + withoutHelm(template.getValue());
            if (WRITE) {
                Files.writeString(Manifests.OPERATOR.resolve(template.getKey()), expected);
            }
            assertThat(Manifests.read(Manifests.OPERATOR.resolve(template.getKey())))
                    .as("run make docs")
                    .isEqualTo(expected);
        }
        TreeSet<String> files = new TreeSet<>(rendered.keySet());
        files.add("namespace.yaml");
        assertThat(Manifests.names(Manifests.OPERATOR)).containsExactlyElementsOf(files);
        assertThat(Manifests.resourcesOf(Manifests.OPERATOR)).containsExactlyElementsOf(files);
    }

    @Test
    void definitionIsThatOfTheChart() {
        assertThat(Manifests.read(Manifests.CRDS.resolve(Manifests.DEFINITION)))
                .isEqualTo(Chart.OPERATOR.file("files/" + Manifests.DEFINITION));
        assertThat(Manifests.resourcesOf(Manifests.CRDS)).containsExactly(Manifests.DEFINITION);
    }

    @Test
    void everySampleIsAClusterOfItsOwnThatIsListed() {
        TreeSet<String> clusters = new TreeSet<>();

        for (String file : Manifests.names(Manifests.SAMPLES)) {
            assertThat(Manifest.all(Manifests.read(Manifests.SAMPLES.resolve(file))))
                    .as(file)
                    .anySatisfy(manifest -> {
                        assertThat(manifest.kind()).isEqualTo("KvorumCluster");
                        assertThat(clusters.add(manifest.name())).isTrue();
                    });
        }
        assertThat(clusters).hasSize(3);
        assertThat(Manifests.resourcesOf(Manifests.SAMPLES)).isEqualTo(Manifests.names(Manifests.SAMPLES));
    }

    /** Kustomize is not Helm: its objects must not say that Helm looks after them. */
    private static String withoutHelm(String manifests) {
        return manifests.replaceAll("(?m)^ +(app.kubernetes.io/managed-by: Helm|helm.sh/chart: .*)\n", "");
    }
}
