package dev.kvorum.node.verification;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class AbsenceTest {
    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final long NOW = 1_000 * DAY;
    private static final Duration GRACE = Duration.ofDays(10);

    private static MemberLife aliveUntil(long daysAgo) {
        return new MemberLife(NOW - 500 * DAY, NOW - daysAgo * DAY);
    }

    /** Alive now, and for so many days without a long absence. */
    private static MemberLife witness(long days) {
        return new MemberLife(NOW - days * DAY, NOW);
    }

    private static Absence absence(MemberLife own, MemberLife... witnesses) {
        return Absence.of(own, NOW, Arrays.asList(witnesses), GRACE);
    }

    @Test
    void memberThatWasAwayForNoLongerThanTheGracePeriodGoesOn() {
        assertThat(List.of(0, 1, 9, 10)).allMatch(days -> absence(aliveUntil(days), witness(500)) == Absence.SHORT);
    }

    @Test
    void memberThatAnotherHasOutlivedDoesNot() {
        assertThat(absence(aliveUntil(11), witness(500))).isEqualTo(Absence.OUTLIVED);
        assertThat(absence(aliveUntil(11), witness(0), witness(1))).isEqualTo(Absence.OUTLIVED);
        assertThat(absence(aliveUntil(300), witness(0), witness(290))).isEqualTo(Absence.OUTLIVED);
    }

    /** It was switched off and on as a whole: those that came first have lived for a day. */
    @Test
    void clusterThatWasSwitchedOffKeepsEverything() {
        assertThat(absence(aliveUntil(12), witness(1), witness(0))).isEqualTo(Absence.SHARED);
        assertThat(absence(aliveUntil(12))).isEqualTo(Absence.ALONE);
    }

    @Test
    void clockOfThisNodeThatIsAheadEmptiesNothing() {
        MemberLife justNow = new MemberLife(NOW - 500 * DAY, NOW - 365 * DAY);
        MemberLife byARightClock = new MemberLife(NOW - 900 * DAY, NOW - 365 * DAY);

        assertThat(absence(justNow, byARightClock)).isEqualTo(Absence.SHARED);
    }

    @Test
    void clockThatWasSetBackIsNoAbsence() {
        assertThat(absence(new MemberLife(NOW, NOW + 20 * DAY), witness(500))).isEqualTo(Absence.SHORT);
    }

    @Test
    void lifeGoesOnOverAShortAbsenceAndBeginsAnewAfterALongOne() {
        MemberLife life = new MemberLife(100 * DAY, 200 * DAY);

        assertThat(life.resumedAt(210 * DAY, GRACE)).isEqualTo(new MemberLife(100 * DAY, 210 * DAY));
        assertThat(life.resumedAt(211 * DAY, GRACE)).isEqualTo(new MemberLife(211 * DAY, 211 * DAY));
        assertThat(life.resumedAt(50 * DAY, GRACE)).isEqualTo(new MemberLife(50 * DAY, 50 * DAY));
    }

    /** It ended with the other's grace period: what that has dropped, this one has not missed. */
    @Test
    void onlyAMemberThatLivedOnFromWithinTheGracePeriodHasOutlivedIt() {
        MemberLife own = aliveUntil(20);

        assertThat(absence(own, witness(10))).isEqualTo(Absence.OUTLIVED);
        assertThat(absence(own, new MemberLife(NOW - 10 * DAY + 1, NOW))).isEqualTo(Absence.SHARED);
    }
}
