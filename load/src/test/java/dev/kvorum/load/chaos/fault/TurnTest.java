package dev.kvorum.load.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TurnTest {
    @Test
    void onlyOneHasItAtATime() {
        Turn turn = new Turn();

        assertThat(turn.take(Turn.Purpose.DAMAGE)).isTrue();
        assertThat(turn.take(Turn.Purpose.CHANGE)).isFalse();
        assertThat(turn.take(Turn.Purpose.DAMAGE)).isFalse();
        assertThat(turn.isTakenFor(Turn.Purpose.DAMAGE)).isTrue();
        turn.release();

        assertThat(turn.isTakenFor(Turn.Purpose.DAMAGE)).isFalse();
        assertThat(turn.take(Turn.Purpose.CHANGE)).isTrue();
        assertThat(turn.isTakenFor(Turn.Purpose.DAMAGE)).isFalse();
    }

    @Test
    void othersNeedNotBeQuietAtOnce() {
        Turn turn = new Turn();
        assertThat(turn.needsQuiet()).isFalse();

        var _ = turn.take(Turn.Purpose.CHANGE);

        assertThat(turn.needsQuiet()).isFalse();
    }
}
