package dev.kvorum.operator.reconciler;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.stream.StreamSupport;
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
    void conditionsOfThisOperatorAreReplacedAndAllElseStays() {
        JsonNode status = leftAlone(json(FORMER), "now").status();

        assertThat(status.path("epoch").asInt()).isEqualTo(7);
        assertThat(status.path("temperature").asText()).isEqualTo("cold");
        assertThat(status.path("phase").asText()).isEqualTo("Invalid");
        assertThat(conditions(status))
                .containsExactly(
                        "Warm=True",
                        "Valid=False",
                        "Available=Unknown",
                        "Degraded=Unknown",
                        "Progressing=Unknown",
                        "Scaling=Unknown",
                        "Ready=False");
        assertThat(status.path("conditions").path(1).path("lastTransitionTime").asText())
                .isEqualTo("now");
    }

    /** The nodes may have died since it was True. */
    @Test
    void whatWasAvailableIsNotKnownToBeSoAnyMore() {
        String former = "{conditions: [{type: Available, status: 'True', reason: Quorum, lastTransitionTime: then}]}";

        JsonNode available =
                leftAlone(json(former), "now").status().path("conditions").path(0);

        assertThat(available.path("status").asText()).isEqualTo("Unknown");
        assertThat(available.path("reason").asText()).isEqualTo("NotUnderstood");
        assertThat(available.path("lastTransitionTime").asText()).isEqualTo("now");
    }

    private static List<String> conditions(JsonNode status) {
        return StreamSupport.stream(status.path("conditions").spliterator(), false)
                .map(condition -> condition.path("type").asText() + "="
                        + condition.path("status").asText())
                .toList();
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
        assertThat(leftAlone(null, "now").status().path("conditions")).hasSize(6);
        assertThat(leftAlone(null, "now").isTold(null)).isFalse();
    }

    private static LeftAlone leftAlone(@Nullable JsonNode before, String now) {
        return LeftAlone.of(before, "spec.replicas is many", 3, now);
    }

    private static JsonNode json(String yaml) {
        return SERIALIZATION.unmarshal("---\n" + yaml.replaceFirst("^---\\s", ""), JsonNode.class);
    }
}
