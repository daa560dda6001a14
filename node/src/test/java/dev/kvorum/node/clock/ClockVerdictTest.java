package dev.kvorum.node.clock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.clock.ClockVerdict.Limits;
import dev.kvorum.node.clock.ClockVerdict.Step;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ClockVerdictTest {
    private static final Limits LIMITS = new Limits(1_000, 10_000);
    private static final long HOUR = 3_600_000;

    /** Both clocks of each other member are so far ahead of this node's steady one, exactly. */
    private static List<ClockReading> ahead(long... millis) {
        return Arrays.stream(millis)
                .mapToObj(each -> new ClockReading(each, each, 0))
                .toList();
    }

    private static ClockVerdict of(int members, long step, List<ClockReading> heard) {
        return ClockVerdict.of(members, step, LIMITS, heard);
    }

    @Test
    void clocksThatAgreeAreAMajority() {
        ClockVerdict verdict = of(3, 0, ahead(10, -20));

        assertThat(verdict).isEqualTo(new ClockVerdict(Step.ADOPT, OptionalLong.of(0), OptionalLong.of(0)));
    }

    @Test
    void stepThatNoOtherClockMadeIsIgnored() {
        ClockVerdict verdict = of(3, -HOUR, ahead(10, -20));

        assertThat(verdict.step()).isEqualTo(Step.IGNORE);
        assertThat(verdict.ahead()).hasValue(0);
        assertThat(verdict.wallAhead()).hasValue(HOUR - 20);
    }

    @Test
    void stepToTheTimeOfAMajorityIsAdopted() {
        ClockVerdict verdict = of(3, HOUR, ahead(HOUR + 5, HOUR - 7));

        assertThat(verdict.step()).isEqualTo(Step.ADOPT);
        assertThat(verdict.ahead()).hasValue(HOUR - 7);
    }

    @Test
    void stepThatAMajorityMakesTogetherIsAdopted() {
        List<ClockReading> heard = List.of(new ClockReading(0, HOUR, 0), new ClockReading(0, 0, 0));

        assertThat(of(3, HOUR, heard).step()).isEqualTo(Step.ADOPT);
        assertThat(of(3, 0, heard).step()).isEqualTo(Step.ADOPT); // That of the rest has made none.
    }

    @Test
    void twoMembersThatDifferCannotTellWhoIsRight() {
        ClockVerdict verdict = of(2, 0, ahead(HOUR));

        assertThat(verdict).isEqualTo(new ClockVerdict(Step.APPROACH, OptionalLong.empty(), OptionalLong.empty()));
    }

    @Test
    void memberThatIsAloneInItsClusterGoesByItsWallClock() {
        assertThat(of(1, HOUR, List.of()).step()).isEqualTo(Step.ADOPT);
    }

    @Test
    void memberThatHearsNoMajorityKnowsNothing() {
        ClockVerdict verdict = of(5, HOUR, ahead(0, 0));

        // Those two and itself are three of five, but the wall clock is with none of them.
        assertThat(verdict.ahead()).hasValue(0);
        assertThat(of(5, HOUR, ahead(0)))
                .isEqualTo(new ClockVerdict(Step.APPROACH, OptionalLong.empty(), OptionalLong.empty()));
    }

    @Test
    void majorityIsOfAllMembersNotOfThoseThatWereHeard() {
        assertThat(of(4, 0, ahead(0)).ahead()).isEmpty();
        assertThat(of(4, 0, ahead(0, 0)).ahead()).hasValue(0);
    }

    @Test
    void readingsCountWithinTheirErrors() {
        List<ClockReading> slow = List.of(new ClockReading(1_400, 1_400, 500), new ClockReading(1_400, 1_400, 500));
        List<ClockReading> exact = List.of(new ClockReading(1_400, 1_400, 0), new ClockReading(1_400, 1_400, 0));

        assertThat(of(3, 0, slow).step()).isEqualTo(Step.ADOPT);
        assertThat(of(3, 0, exact).step()).isEqualTo(Step.APPROACH);
    }

    @Test
    void stepThatIsToleratedIsTakenSlowly() {
        assertThat(of(3, 9_000, ahead(0, 0)).step()).isEqualTo(Step.APPROACH);
        assertThat(of(3, 10_001, ahead(0, 0)).step()).isEqualTo(Step.IGNORE);
    }

    @Test
    void clocksThatAreToleratedMakeAMajority() {
        ClockVerdict verdict = of(4, -HOUR, ahead(0, 0, -9_000));

        assertThat(verdict.step()).isEqualTo(Step.IGNORE);
        assertThat(verdict.wallAhead()).hasValue(HOUR - 9_000);
    }

    @Test
    void clockThatStartedWronglyIsOffFromTheMajority() {
        assertThat(of(5, 0, ahead(HOUR, HOUR + 3, HOUR - 1)).ahead()).hasValue(HOUR - 1);
        assertThat(of(5, 0, ahead(HOUR, HOUR)).ahead()).isEmpty(); // Two of five are none.
    }
}
