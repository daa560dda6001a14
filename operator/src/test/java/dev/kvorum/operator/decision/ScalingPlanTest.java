package dev.kvorum.operator.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.topology.change.ChangePlan.Move;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people read of a change. */
class ScalingPlanTest {
    private static final Move FAST = new Move("demo-3", 10, 4_000, 1_000);
    private static final Move SLOW = new Move("demo-4", 20, 9_000, 1_000);
    private static final Move UNKNOWN = new Move("demo-4", 20, 9_000, 0);

    private static ScalingPlan of(boolean counted, Move... moves) {
        return new ScalingPlan("7-ab", List.of("demo-3", "demo-4"), List.of(), List.of(moves), counted);
    }

    @Test
    void membersPullAtTheSameTime() {
        assertThat(of(true, FAST, SLOW).seconds()).isEqualTo(SLOW.seconds()).isPositive();
        assertThat(of(true, SLOW, FAST).seconds()).isEqualTo(SLOW.seconds());
    }

    @Test
    void nobodyKnowsHowLongItTakesWhereBytesAreNotCounted() {
        assertThat(of(false, FAST, SLOW).seconds()).isNull();
        assertThat(of(false, FAST, SLOW).bytes()).isNull();
    }

    @Test
    void nobodyKnowsHowLongItTakesWhereALimitIsNotKnown() {
        assertThat(of(true, FAST, UNKNOWN).seconds()).isNull();
        assertThat(of(true, FAST, UNKNOWN).bytes()).isEqualTo(13_000);
    }

    @Test
    void nothingThatMovesTakesNoTime() {
        assertThat(of(true).seconds()).isZero();
    }

    @Test
    void wordsNameMembersCopiesAndBytes() {
        assertThat(of(true, FAST, SLOW).inWords())
                .isEqualTo("joining: demo-3, demo-4; copies of partitions to be moved: 30, 13000 bytes");
        assertThat(new ScalingPlan("7-ab", List.of(), List.of("demo-2"), List.of(FAST), true).inWords())
                .isEqualTo("leaving: demo-2; copies of partitions to be moved: 10, 4000 bytes");
    }

    @Test
    void wordsNameNoBytesThatAreNotCounted() {
        assertThat(of(false, FAST).inWords())
                .isEqualTo("joining: demo-3, demo-4; copies of partitions to be moved: 10");
    }
}
