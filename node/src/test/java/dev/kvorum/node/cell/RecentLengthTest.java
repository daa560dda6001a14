package dev.kvorum.node.cell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentLengthTest {
    private final RecentLength recent = new RecentLength();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 127, 1 << 20, Integer.MAX_VALUE})
    void equalLengthsAreTheirAverage(int bytes) {
        note(1000, bytes);

        assertThat(recent.bytes()).isBetween(Math.max(0, bytes - 7), bytes);
    }

    @Test
    void averageFollowsDownToNothing() {
        note(1000, 1 << 20);
        note(1000, 0);

        assertThat(recent.bytes()).isZero();
    }

    @Test
    void oneLongAnswerIsForgottenAfterSomeShortOnes() {
        note(100, 127);

        note(1, 1 << 20);

        assertThat(recent.bytes()).isGreaterThan(100_000);
        note(20, 127);
        assertThat(recent.bytes()).isLessThan(10_000);
    }

    private void note(int times, int bytes) {
        for (int i = 0; i < times; i++) {
            recent.note(bytes);
        }
    }
}
