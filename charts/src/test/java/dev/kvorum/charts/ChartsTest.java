package dev.kvorum.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.LintResult;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What holds for both charts. */
@NeedsHelm
class ChartsTest {
    static final Chart[] CHARTS = {Chart.OPERATOR, Chart.CLUSTER};

    @ParameterizedTest
    @FieldSource("CHARTS")
    void lintFindsNothing(Chart chart) {
        LintResult result = chart.lint();

        assertThat(result.isFailed())
                .as(String.join("\n", result.getMessages()))
                .isFalse();
    }

    @ParameterizedTest
    @FieldSource("CHARTS")
    void valueThatDoesNotExistIsRefusedByName(Chart chart) {
        assertThatThrownBy(() -> chart.render("replicass: 3"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("replicass");
    }

    @ParameterizedTest
    @FieldSource("CHARTS")
    void everyValueHasADefaultAndASchema(Chart chart) {
        Manifest values = Manifest.one(chart.file("values.yaml"));
        Manifest schema = Manifest.one(chart.file("values.schema.json"));
        TreeSet<String> described =
                new TreeSet<>(schema.part("properties").content().keySet());
        described.remove("global");

        assertThat(described).isEqualTo(new TreeSet<>(values.content().keySet()));
    }

    @ParameterizedTest
    @FieldSource("CHARTS")
    void everyValueIsDocumented(Chart chart) {
        String[] lines = chart.file("values.yaml").split("\n", -1);

        for (int i = 1; i < lines.length; i++) {
            boolean isValue = lines[i].matches("[a-zA-Z].*");
            boolean firstOfItIsDocumented =
                    i + 1 < lines.length && lines[i + 1].matches(" +#.*|  (read|repository): ?.*");
            if (isValue && !lines[i - 1].startsWith("#")) {
                assertThat(firstOfItIsDocumented).as("a comment on " + lines[i]).isTrue();
            }
        }
    }

    @ParameterizedTest
    @FieldSource("CHARTS")
    void everythingIsLabelledAsOneReleaseOfKvorum(Chart chart) {
        assertThat(chart.manifests("")).isNotEmpty().allSatisfy(manifest -> {
            assertThat(manifest.at("metadata", "labels", "app.kubernetes.io/part-of"))
                    .isEqualTo("kvorum");
            assertThat(manifest.at("metadata", "labels", "app.kubernetes.io/instance"))
                    .isNotNull();
        });
    }
}
