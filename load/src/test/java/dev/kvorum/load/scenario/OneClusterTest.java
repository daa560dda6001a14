package dev.kvorum.load.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OneClusterTest {
    private static final String VALID = """
            title: A title
            why: A reason
            nodes: 4
            one-cluster: true
            load: {mix: {PUT: 1}, rate: 1000, settling: 1s, from: 3, keys: 100}
            variants:
              - {name: slow, what: Slow, load: {ack: 3}, fault: {slow: {node: 3, delay: 5ms}}}
              - {name: proxied, what: Behind the proxy, load: {mix: {GET: 1}}, fault: {slow: {node: 3, delay: 0s}}}
            """;

    @Test
    void servesVariantsThatAreAskedOtherwiseAndSlowedByOneProxy() {
        assertThat(ScenarioFile.parse("test", VALID).rules().oneCluster()).isTrue();
    }

    @Test
    void servesVariantsWithoutAFault() {
        String yaml = VALID.replaceAll(", fault: .*", "}");

        assertThat(ScenarioFile.parse("test", yaml).rules().oneCluster()).isTrue();
    }

    @Test
    void isWhatAScenarioSaysAndNotTheRule() {
        String yaml = VALID.replace("one-cluster: true", "rounds: 2");

        assertThat(ScenarioFile.parse("test", yaml).rules().oneCluster()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nodes: 3",
                "replication-factor: 4",
                "jvm: [-Xmx300m]",
                "settings: {kvorum.read.fan-out: all}",
                "load: {keys: 200}",
                "load: {from: 4}",
                "load: {value-size: 1KiB}",
                "load: {mix: {DELETE: 1}}",
                "load: {closed: 8}", // It does not settle, unless it says so itself.
                "load: {settling: 0s}",
                "load: {search: {}}"
            })
    void refusesAnotherBeginningAndWhatLeavesAnotherCluster(String own) {
        refused("load: {ack: 3}", own);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            slow: {node: 3, delay: 0s}           | slow: {node: 4, delay: 0s}
            slow: {node: 3, delay: 0s}           | frozen: {node: 3}
            slow: {node: 3, delay: 0s}           | dead: {node: 3}
            slow: {node: 3, delay: 0s}           | scaled: {more: 1}
            , fault: {slow: {node: 3, delay: 0s}}} | }
            """)
    void refusesAnotherFault(String valid, String other) {
        refused(valid, other);
    }

    @ParameterizedTest
    @ValueSource(strings = {"frozen: {node: 3}", "dead: {node: 3}", "scaled: {more: 1}"})
    void refusesWhatLeavesSomethingToCatchUpWithAlsoOfAllVariants(String fault) {
        refused(VALID.replaceAll("slow: \\{node.*?}", fault));
    }

    @Test
    void roundsMayBeMeasuredAgainOnOneClusterAlone() {
        String repeated = VALID.replace("nodes: 4", "nodes: 4\nstolen-max: 2.5");

        assertThat(ScenarioFile.parse("test", repeated).rules().stolenMax()).isEqualTo(2.5);
        assertThat(ScenarioFile.parse("test", VALID).rules().stolenMax()).isEqualTo(100);
        assertThatThrownBy(() -> ScenarioFile.parse("test", repeated.replace("one-cluster: true", "rounds: 2")))
                .isInstanceOf(InvalidScenario.class)
                .hasMessage(
                        "test.yaml: stolen-max must be left out without one-cluster: rounds are measured again on the same"
                                + " cluster, but is \"2.5\"");
    }

    private static void refused(String valid, String other) {
        refused(VALID.replace(valid, other));
    }

    private static void refused(String yaml) {
        assertThat(yaml).isNotEqualTo(VALID);
        assertThatThrownBy(() -> ScenarioFile.parse("test", yaml))
                .isInstanceOf(InvalidScenario.class)
                .hasMessageContaining("one-cluster must be true only where all variants have the same nodes");
    }
}
