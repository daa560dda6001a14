package dev.kvorum.e2e.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MetricsTest {
    private static final Metrics METRICS = new Metrics("""
            # HELP kvorum_hints_waiting hints
            kvorum_hints_waiting{member="n1"} 0.0
            kvorum_hints_waiting{member="n2"} 3.0
            kvorum_hints_waiting{member="n3"} 4.0
            kvorum_hints_waiting_bytes{member="n3"} 400.0
            kvorum_hints_stored_total 1.2E4
            """);

    @Test
    void samplesOfOneNameAreAddedUp() {
        assertThat(METRICS.sum("kvorum_hints_waiting")).isEqualTo(7);
    }

    @Test
    void labelsChoose() {
        assertThat(METRICS.sum("kvorum_hints_waiting", "member=\"n3\"")).isEqualTo(4);
    }

    @Test
    void sampleWithoutLabelsIsFound() {
        assertThat(METRICS.sum("kvorum_hints_stored_total")).isEqualTo(12_000);
    }

    @Test
    void noSampleWithTheLabelsIsNothing() {
        assertThat(METRICS.sum("kvorum_hints_waiting", "member=\"n4\"")).isZero();
    }

    @Test
    void absentIsNoZero() {
        assertThatThrownBy(() -> METRICS.sum("kvorum_hints")).hasMessageContaining("no metric kvorum_hints");
        assertThat(METRICS.sumOrZero("kvorum_hints")).isZero();
    }
}
