package dev.kvorum.load.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessorSeriesTest {
    private static NodeSample sample(String node, long atMillis, long cpuMicros) {
        return new NodeSample(node, atMillis, cpuMicros, 0, 0, 0, null);
    }

    @Test
    void timeWithinASecondIsItsShareOfTheSecond() {
        ProcessorSeries series = new ProcessorSeries(
                List.of(sample("n1", 1000, 50), sample("n1", 2000, 1050), sample("n1", 3000, 1150)));

        assertThat(series.micros(1500, 2500)).isEqualTo(500 + 50);
    }

    @Test
    void nodesAreAddedUp() {
        ProcessorSeries series = new ProcessorSeries(List.of(
                sample("n1", 1000, 0), sample("n2", 1100, 7), sample("n1", 2000, 100), sample("n2", 2100, 207)));

        assertThat(series.micros(0, 5000)).isEqualTo(100 + 200);
    }

    @Test
    void nodeThatEndedCountsUpToWhenItWasLastSeen() {
        ProcessorSeries series = new ProcessorSeries(List.of(sample("n1", 1000, 0), sample("n1", 2000, 100)));

        assertThat(series.micros(1500, 60_000)).isEqualTo(50);
    }
}
