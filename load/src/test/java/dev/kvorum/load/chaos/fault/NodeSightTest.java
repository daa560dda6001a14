package dev.kvorum.load.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.chaos.fault.NodeSight.Judgement;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class NodeSightTest {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final NodeSight WELL = new NodeSight("{\"status\":\"UP\"}", true, OptionalInt.of(0));

    @Test
    void nodeThatIsRebuiltHoldsAll() {
        assertThat(WELL.judge(true, false, SHORT)).isEqualTo(Judgement.WHOLE);
        // The file went with the database.
        assertThat(WELL.judge(true, true, SHORT)).isEqualTo(Judgement.WHOLE);
    }

    @Test
    void nodeThatLacksPartitionsOrDoesNotTellIsWaitedFor() {
        assertThat(new NodeSight("up", true, OptionalInt.of(3)).judge(true, false, LONG))
                .isEqualTo(Judgement.WAIT);
        assertThat(new NodeSight("up", true, OptionalInt.empty()).judge(true, false, LONG))
                .isEqualTo(Judgement.WAIT);
        assertThat(new NodeSight("", false, OptionalInt.empty()).judge(true, false, Duration.ZERO))
                .isEqualTo(Judgement.WAIT);
    }

    @Test
    void nodeThatHasLostNothingHadItsTimeToSaySo() {
        assertThat(WELL.judge(false, false, SHORT)).isEqualTo(Judgement.WAIT);
        assertThat(WELL.judge(false, false, LONG)).isEqualTo(Judgement.WHOLE);
    }

    @Test
    void damageThatTheNodeHasMetIsActedOnAtOnce() {
        String words = "{\"disk\":\"The file n2/cells/000012.sst (column family cells) is damaged: Corruption\"}";

        assertThat(new NodeSight(words, false, OptionalInt.of(0)).judge(false, true, Duration.ZERO))
                .isEqualTo(Judgement.DAMAGED);
    }

    @Test
    void damageThatTheNodeDoesNotMeetIsNotLeftForLong() {
        assertThat(WELL.judge(false, true, Duration.ofSeconds(20))).isEqualTo(Judgement.WAIT);
        assertThat(WELL.judge(false, true, LONG)).isEqualTo(Judgement.DAMAGED_UNMET);
    }
}
