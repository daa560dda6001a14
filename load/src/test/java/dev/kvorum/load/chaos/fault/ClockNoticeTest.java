package dev.kvorum.load.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.chaos.fault.ClockNotice.Judgement;
import java.time.Duration;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ClockNoticeTest {
    private static final Duration LONG = ClockNotice.NOTICED_MAX.plusMillis(1);
    private static final ClockNotice BEHIND = new ClockNotice(Duration.ofSeconds(-9));

    @Test
    void nodeThatTellsWhatWasDoneHasNoticed() {
        assertThat(BEHIND.judge(OptionalDouble.of(-9.9), Duration.ZERO)).isEqualTo(Judgement.NOTICED);
        assertThat(BEHIND.judge(OptionalDouble.of(-8.1), LONG)).isEqualTo(Judgement.NOTICED);
    }

    @Test
    void nodeThatTellsAnotherTimeHasAWhileToHearTheOthers() {
        assertThat(BEHIND.judge(OptionalDouble.of(0), ClockNotice.NOTICED_MAX)).isEqualTo(Judgement.WAIT);
        assertThat(BEHIND.judge(OptionalDouble.of(9), LONG)).isEqualTo(Judgement.OVERLOOKED);
        assertThat(BEHIND.judge(OptionalDouble.of(-10.1), LONG)).isEqualTo(Judgement.OVERLOOKED);
    }

    @Test
    void nodeThatHearsNoMajorityThoughThatAnswersHasNotNoticed() {
        assertThat(BEHIND.judge(OptionalDouble.of(Double.NaN), LONG)).isEqualTo(Judgement.OVERLOOKED);
    }

    @Test
    void nodeThatDoesNotAnswerIsWaitedFor() {
        assertThat(BEHIND.judge(OptionalDouble.empty(), Duration.ZERO)).isEqualTo(Judgement.WAIT);
    }
}
