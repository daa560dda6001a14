package dev.kvorum.operator.reconciler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The status of a resource that is not understood. */
class LeftAloneTest {
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
    private static final String FORMER =
            "{phase: Running, epoch: 7, temperature: cold, conditions: [{type: Warm, status: 'True'}, {type: Valid, status: 'True', lastTransitionTime: then}]}";

    @Test
    void onlyValidAndReadyAreReplaced() {
        JsonNode status = leftAlone(json(FORMER), "now").status();

        assertThat(status.path("epoch").asInt()).isEqualTo(7);
        assertThat(status.path("temperature").asText()).isEqualTo("cold");
        assertThat(status.path("phase").asText()).isEqualTo("Invalid");
        assertThat(status.path("conditions").findValuesAsText("type")).containsExactly("Warm", "Valid", "Ready");
        assertThat(status.path("conditions").findValuesAsText("status")).containsExactly("True", "False", "False");
        assertThat(status.path("conditions").path(1).path("lastTransitionTime").asText())
                .isEqualTo("now");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "nothing", "{conditions: none}", FORMER})
    void itIsToldOnce(String before) {
        LeftAlone first = leftAlone(json(before), "then");
        assertThat(first.isTold(json(before))).isFalse();

        JsonNode read = json(SERIALIZATION.asYaml(first.status()));

        assertThat(leftAlone(read, "now").isTold(read)).isTrue();
        assertThat(LeftAlone.of(read, "another field", 3, "now").isTold(read)).isFalse();
    }

    @Test
    void aResourceWithoutStatusGetsOne() {
        assertThat(leftAlone(null, "now").status().path("conditions")).hasSize(2);
        assertThat(leftAlone(null, "now").isTold(null)).isFalse();
    }

    private static LeftAlone leftAlone(@Nullable JsonNode before, String now) {
        return LeftAlone.of(before, "spec.replicas is many", 3, now);
    }

    private static JsonNode json(String yaml) {
        return SERIALIZATION.unmarshal("---\n" + yaml.replaceFirst("^---\\s", ""), JsonNode.class);
    }
}
