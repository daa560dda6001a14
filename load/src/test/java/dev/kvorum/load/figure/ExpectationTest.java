package dev.kvorum.load.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpectationTest {
    private static final Map<String, Figures> MEASURED = Map.of(
            "healthy", new Figures(Map.of(Metric.P99, 10.0, Metric.ERRORS, 0.0)),
            "slow-3of3", new Figures(Map.of(Metric.P99, 12.0, Metric.ERRORS, 3.0)));

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            p99 of slow-3of3 <= 1.2 x p99 of healthy       | true
            p99 of slow-3of3 <= 1.1 x p99 of healthy       | false
            p99 of slow-3of3 < p99 of healthy + 2.5 ms     | true
            p99 of slow-3of3 - 2 ms <= p99 of healthy      | true
            p99 of healthy >= 10 ms                        | true
            p99 of healthy > 10 ms                         | false
            errors of healthy <= 0                         | true
            0 >= errors of slow-3of3                       | false
            """)
    void comparesMeasuredFigures(String text, boolean holds) {
        Verdict verdict = Expectation.parse(text).judge(MEASURED, "");

        assertThat(verdict.passed()).isEqualTo(holds);
    }

    @Test
    void ofAllIsJudgedOfEachVariant() {
        Expectation expectation = Expectation.parse("errors of all <= 0");

        assertThat(expectation.isOfAll()).isTrue();
        assertThat(expectation.judge(MEASURED, "healthy").passed()).isTrue();
        assertThat(expectation.judge(MEASURED, "slow-3of3").passed()).isFalse();
        assertThat(expectation.judge(MEASURED, "slow-3of3").text()).isEqualTo("errors of slow-3of3 <= 0");
    }

    @Test
    void whatWasNotMeasuredNeverPasses() {
        Verdict verdict = Expectation.parse("recovery of healthy <= 2").judge(MEASURED, "");

        assertThat(verdict.passed()).isFalse();
        assertThat(verdict.left()).isNull();
        assertThat(verdict.right()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"p99 of healthy", "p98 of healthy <= 1", "p99 healthy <= 1", "fast <= slow", "<= 1"})
    void whatIsNoComparisonIsRefused(String text) {
        assertThatThrownBy(() -> Expectation.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
