package dev.kvorum.load.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DelayLineTest {
    private final DelayLine<String> line = new DelayLine<>();

    @Test
    void itemLeavesWhenItsDelayIsOver() {
        line.add("a", 100, 5);

        assertThat(line.poll(104)).isNull();
        assertThat(line.nanosToNext(104)).isEqualTo(1);
        assertThat(line.poll(105)).isEqualTo("a");
        assertThat(line.isEmpty()).isTrue();
    }

    @Test
    void manyItemsAreUnderWayAtOnceAndKeepTheirOrder() {
        line.add("a", 100, 5);
        line.add("b", 101, 5);
        line.add("c", 103, 5);

        assertThat(line.poll(106)).isEqualTo("a");
        assertThat(line.poll(106)).isEqualTo("b");
        assertThat(line.poll(106)).isNull();
        assertThat(line.poll(108)).isEqualTo("c");
    }

    @Test
    void itemNeverOvertakesAnEarlierOneWhenTheDelayBecomesShorter() {
        line.add("slow", 100, 50);
        line.add("fast", 101, 0);

        assertThat(line.poll(149)).isNull();
        assertThat(line.poll(150)).isEqualTo("slow");
        assertThat(line.poll(150)).isEqualTo("fast");
    }
}
