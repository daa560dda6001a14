package dev.kvorum.node.verification;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.kvorum.node.repair.MemoryStore;
import dev.kvorum.node.storage.NoteStore;
import dev.kvorum.node.verification.Verifications.Lack;
import dev.kvorum.topology.change.MemberReport.Loss.Extent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

@Timeout(60)
class VerificationsTest {
    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final long START = 1_700_000_000_000L;
    private static final Duration GRACE = Duration.ofDays(10);
    private static final Duration SKEW_MAX = Duration.ofSeconds(20);
    private static final long SKEW = SKEW_MAX.toMillis();

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final ObservedNotes notes = new ObservedNotes();
    private Verifications verifications = fresh();

    @BeforeEach
    void listen() {
        log.start();
        logger().addAppender(log);
    }

    @AfterEach
    void listenNoMore() {
        logger().detachAppender(log);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger(Verifications.class);
    }

    private Verifications fresh() {
        return new Verifications(notes, 200, GRACE, SKEW_MAX);
    }

    /** By this node's own clock, nobody lacking anything. */
    private void note(int partition, long at) {
        verifications.note(verified(partition, at), at);
    }

    private static VerifiedCall verified(int partition, long at) {
        return new VerifiedCall(partition, 1, false, at, Verifications.NEVER);
    }

    @Test
    void newPartitionWasNeverVerified() {
        assertThat(verifications.verified(7)).isEqualTo(Verifications.NEVER);
        assertThat(verifications.droppableBefore(7)).isEqualTo(Verifications.NEVER);
    }

    @Test
    void nothingMayBeDroppedBeforeTwoVerificationsAreAGracePeriodApart() {
        for (int day = 0; day < 10; day++) {
            note(7, START + day * DAY);
            assertThat(verifications.droppableBefore(7)).isEqualTo(Verifications.NEVER);
        }

        note(7, START + 10 * DAY);

        assertThat(verifications.droppableBefore(7)).isEqualTo(START - SKEW);
        assertThat(verifications.droppableBefore(8)).isEqualTo(Verifications.NEVER);
    }

    @Test
    void whatMayBeDroppedIsAtMostTwoGracePeriodsOld() {
        for (int day = 0; day < 100; day++) {
            note(7, START + day * DAY);
            if (day >= 20) {
                assertThat(verifications.droppableBefore(7))
                        .isBetween(START + (day - 20) * DAY - SKEW, START + (day - 10) * DAY - SKEW);
            }
        }
    }

    @Test
    void verificationsSurviveARestart() {
        note(7, START);
        note(7, START + 11 * DAY);
        note(199, START + DAY);

        verifications = fresh();
        verifications.load().block();

        assertThat(verifications.verified(7)).isEqualTo(START + 11 * DAY);
        assertThat(verifications.droppableBefore(7)).isEqualTo(START - SKEW);
        assertThat(verifications.verified(199)).isEqualTo(START + DAY);
        assertThat(verifications.verified(63)).isEqualTo(Verifications.NEVER);
    }

    @Test
    void partitionThatIsRegainedIsNotLostAnyMoreButNotVerifiedEither() {
        verifications.regain(new Loss(START, START));
        assertThat(verifications.isRebuilding(7)).isTrue();

        verifications.regained(7);

        assertThat(verifications.isRebuilding(7)).isFalse();
        assertThat(verifications.isRebuilding(8)).isTrue();
        assertThat(verifications.verified(7)).isEqualTo(Verifications.NEVER);
        verifications = fresh();
        verifications.load().block();
        verifications.regain(new Loss(START, START));
        assertThat(verifications.isRebuilding(7)).isFalse();
    }

    /** Another took it for verified up to when this node's clock had not come yet: by that it would count as verified for as long. */
    @Test
    void nothingIsVerifiedLaterThanNow() {
        verifications.note(verified(7, START + SKEW), START);

        assertThat(verifications.verified(7)).isEqualTo(START);
    }

    /** This node's clock was far behind for a moment. */
    @Test
    void clocksThatAreTooFarApartSayNothingOfHowLongAnythingWasHeld() {
        verifications.note(verified(7, START + 9 * DAY), START);
        assertThat(verifications.verified(7)).isEqualTo(START);

        note(7, START + 10 * DAY);
        note(7, START + 19 * DAY);
        assertThat(verifications.droppableBefore(7)).isEqualTo(Verifications.NEVER);

        note(7, START + 20 * DAY);
        assertThat(verifications.droppableBefore(7)).isEqualTo(START + 10 * DAY - SKEW);
    }

    @Test
    void whatThisNodeLackedItDidNotHoldFromBefore() {
        note(7, START);
        note(7, START + 10 * DAY);
        note(7, START + 20 * DAY);

        verifications.lacked(7, START + 20 * DAY + 1);
        assertThat(verifications.droppableBefore(7)).as("ended after that").isEqualTo(START + 10 * DAY - SKEW);
        verifications.lacked(7, START + 10 * DAY);

        assertThat(verifications.droppableBefore(7)).isEqualTo(Verifications.NEVER);
        note(7, START + 22 * DAY);
        note(7, START + 31 * DAY);
        assertThat(verifications.droppableBefore(7)).isEqualTo(Verifications.NEVER);
        note(7, START + 32 * DAY);
        assertThat(verifications.droppableBefore(7)).isEqualTo(START + 22 * DAY - SKEW);
    }

    @Test
    void thatItLackedSomethingSurvivesARestart() {
        note(7, START);
        note(7, START + 10 * DAY);
        verifications.lacked(7, START - 1);

        verifications = fresh();
        verifications.load().block();

        assertThat(verifications.droppableBefore(7)).isEqualTo(Verifications.NEVER);
        assertThat(verifications.verified(7)).isEqualTo(START + 10 * DAY);
    }

    /** Only the period that has not ended yet begins anew: what was settled before it stays so. */
    @Test
    void periodThatBeginsAnewDoesSoAfterARestartAsWell() {
        note(7, START);
        note(7, START + 10 * DAY);
        verifications.lacked(7, START + 5 * DAY);

        verifications = fresh();
        verifications.load().block();
        note(7, START + 20 * DAY);

        assertThat(verifications.droppableBefore(7)).isEqualTo(START - SKEW);
    }

    /** Two runs that overlap: the one that began first ends last. */
    @Test
    void runThatTookLongTakesNothingBack() {
        note(7, START);
        note(7, START + 11 * DAY);

        verifications.note(verified(7, START + 11 * DAY - 100 * SKEW), START + 11 * DAY);

        assertThat(verifications.droppableBefore(7)).isEqualTo(START - SKEW);
    }

    /** The clock was a year ahead for a while: what it said then must not count as a year of holding, nor for a year. */
    @Test
    void clockThatWasAheadAndIsSetRightBeginsTheGracePeriodAnew() {
        note(7, START + 365 * DAY);

        note(7, START);
        note(7, START + 9 * DAY);
        assertThat(verifications.droppableBefore(7)).isEqualTo(Verifications.NEVER);

        note(7, START + 10 * DAY);
        assertThat(verifications.droppableBefore(7)).isEqualTo(START - SKEW);
    }

    /** The same, with two notes of that clock. */
    @Test
    void whatAClockThatWasAheadHasSettledIsForgottenToo() {
        note(7, START - 20 * DAY);
        note(7, START + 365 * DAY);
        assertThat(verifications.droppableBefore(7)).isEqualTo(START - 20 * DAY - SKEW);
        note(7, START + 380 * DAY);

        note(7, START);

        assertThat(verifications.droppableBefore(7)).isEqualTo(Verifications.NEVER);
    }

    @Test
    void whatAnotherLetsDropIsBoundedByWhatThisNodeKnowsAndByTheGracePeriod() {
        note(7, START);
        note(7, START + 10 * DAY);
        long own = START - SKEW;
        long now = START + 10 * DAY;

        assertThat(verifications.bounded(7, own + 5, now)).isEqualTo(own);
        assertThat(verifications.bounded(7, own - 5, now)).isEqualTo(own - 5);
        assertThat(verifications.bounded(7, own, START + 9 * DAY)).isEqualTo(START - DAY);
        assertThat(verifications.bounded(8, own, now)).isEqualTo(Verifications.NEVER);
    }

    @Test
    void whatWasRegainedIsLostByTheNextLoss() {
        verifications.regain(new Loss(START, START));
        verifications.regained(7);
        assertThat(verifications.isRebuilding(7)).isFalse();

        verifications.regain(new Loss(START + 1, START + 1));

        assertThat(verifications.isRebuilding(7)).isTrue();
    }

    /** The clock was ahead at the first power cut, and was set right before the second: whatever time it is, the second counts. */
    @Test
    void partitionThatWasComparedAfterAPowerCutIsIncompleteAfterTheNext() {
        verifications.regain(new Loss(Verifications.NEVER, START + DAY));
        verifications.regained(7);
        assertThat(verifications.isRebuilding(7)).isFalse();
        assertThat(verifications.hasForgotten(7)).isFalse();

        verifications.regain(new Loss(Verifications.NEVER, START + DAY + 1));

        assertThat(verifications.isRebuilding(7)).isTrue();
        assertThat(verifications.hasForgotten(7)).isFalse();
    }

    @Test
    void damagedPartitionLacksCellsAndPromisesUntilItIsRegainedInTheNextLifeToo() {
        verifications.damaged(7, START).block();

        verifications = fresh();
        verifications.load().block();
        assertThat(verifications.isRebuilding(7)).isTrue();
        assertThat(verifications.hasForgotten(7)).isTrue();
        assertThat(verifications.isRebuilding(8)).isFalse();

        verifications.regained(7);

        assertThat(verifications.isRebuilding(7)).isFalse();
        assertThat(verifications.hasForgotten(7)).isFalse();
    }

    /** What the others gave may have been swallowed by the damaged cell, and gone with it. */
    @Test
    void damagedPartitionIsNotRegainedByAWalkThatBeganBeforeTheCellWasMet() {
        verifications.walkBegins(7);
        verifications.damaged(7, START).block();

        verifications.regained(7);
        assertThat(verifications.isRebuilding(7)).isTrue();

        verifications.walkBegins(7);
        verifications.regained(7);
        assertThat(verifications.isRebuilding(7)).isFalse();
    }

    /** The clock was ahead when the partition was regained, and is right when a cell of it is damaged. */
    @Test
    void partitionThatIsDamagedAfterItWasRegainedLacksCellsWhateverTheClockShows() {
        verifications.regain(new Loss(START + DAY, START + DAY));
        verifications.regained(7);

        verifications.damaged(7, START).block();

        assertThat(verifications.isRebuilding(7)).isTrue();
    }

    @Test
    void memberThatLostAllHasForgottenItsPromisesUntilAPartitionIsRegained() {
        verifications.regain(new Loss(START, Verifications.NEVER));
        assertThat(verifications.hasForgotten(7)).isTrue();
        assertThat(verifications.isRebuilding(7)).isTrue();

        verifications.regained(7);

        assertThat(verifications.hasForgotten(7)).isFalse();
    }

    @Test
    void partitionThatNeverWasLostIsNotRegained() {
        verifications.regained(7);

        verifications.regain(new Loss(START - 1, START - 1));

        assertThat(verifications.isRebuilding(7)).isTrue();
    }

    @Test
    void clocksThatDifferByAsMuchAsTheyMayStillHold() {
        verifications.note(verified(7, START + SKEW), START);
        note(7, START + SKEW + 10 * DAY);

        assertThat(verifications.droppableBefore(7)).isEqualTo(START);
    }

    @Test
    void clockThatWasAheadByNoMoreThanClocksMayDifferForgetsNothing() {
        note(7, START - 20 * DAY);
        note(7, START + SKEW);
        assertThat(verifications.droppableBefore(7)).isEqualTo(START - 20 * DAY - SKEW);

        note(7, START);

        assertThat(verifications.droppableBefore(7)).isEqualTo(START - 20 * DAY - SKEW);
    }

    @Test
    void verificationsGoOnWhileTheyCanNotBeNotedAndAreNotedAgainLater() {
        notes.fails = true;
        note(7, START);
        note(7, START + DAY);
        assertThat(verifications.verified(7)).isEqualTo(START + DAY);

        notes.fails = false;
        note(8, START + DAY);

        Verifications next = fresh();
        next.load().block();
        assertThat(next.verified(7)).isEqualTo(START + DAY);
    }

    /** There are many in a second. */
    @Test
    void failureToNoteIsLoggedOnceUntilANoteSucceeds() {
        notes.fails = true;
        note(7, START);
        note(8, START);
        assertThat(log.list).hasSize(1);

        notes.fails = false;
        note(7, START + 1);
        notes.fails = true;
        note(8, START + 1);

        assertThat(log.list).hasSize(2).allMatch(line -> line.getLevel() == Level.WARN);
    }

    /** There are many in a second. */
    @Test
    void clocksThatAreTooFarApartAreLoggedOnceUntilTheyAreNot() {
        verifications.note(verified(7, START + DAY), START);
        verifications.note(verified(8, START + DAY), START);
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .contains("Partition 7 was verified up to " + DAY + " ms ahead");

        note(7, START);
        verifications.note(verified(8, START + DAY), START);

        assertThat(log.list).hasSize(2);
    }

    /** A member that was away brings many cells that were never taken for held: noting each would write as much again. */
    @Test
    void whatWasNeverTakenForHeldIsLackedWithoutANote() {
        note(7, START);
        notes.written.clear();

        verifications.lacked(7, START + 1);

        assertThat(notes.written).isEmpty();
    }

    @Test
    void startReadsOneNoteForEach64Partitions() {
        verifications.load().block();

        assertThat(notes.read).containsExactly("verified-0", "verified-1", "verified-2", "verified-3");
    }

    @Test
    void noteOfAnotherFormIsAsGoodAsNone() {
        notes.note("verified-0", new byte[7]).block();

        verifications.load().block();

        assertThat(verifications.verified(7)).isEqualTo(Verifications.NEVER);
    }

    @Test
    void everyPartitionHasItsPlaceWhateverTheirNumber() {
        for (int partitions : new int[] {1, 64, 65}) {
            Verifications few = new Verifications(notes, partitions, GRACE, SKEW_MAX);
            few.note(verified(partitions - 1, START), START);

            assertThat(few.verified(partitions - 1)).isEqualTo(START);
            assertThat(few.partitions()).isEqualTo(partitions);
        }
    }

    /** Notes of a disk that may fail, and which of them were asked for and written. */
    private static final class ObservedNotes implements NoteStore {
        private final MemoryStore kept = new MemoryStore("n1", key -> 0);
        private final List<String> read = new ArrayList<>();
        private final List<String> written = new ArrayList<>();
        private boolean fails;

        @Override
        public Mono<byte[]> note(String name) {
            read.add(name);
            return kept.note(name);
        }

        @Override
        public Mono<Void> note(String name, byte[] note) {
            written.add(name);
            return fails ? Mono.error(new IllegalStateException("planned")) : kept.note(name, note);
        }
    }

    @Test
    void whatAPartitionLacksIsTheWorstOfWhatWasLostAndNothingOnceItWasRegained() {
        assertThat(verifications.lack(7)).isEmpty();

        verifications.regain(new Loss(Verifications.NEVER, START));
        assertThat(verifications.lack(7)).contains(new Lack(Extent.LATEST, START));

        verifications.regained(7);
        assertThat(verifications.lack(7)).isEmpty();

        verifications.damaged(7, START + 5).block();
        assertThat(verifications.lack(7)).contains(new Lack(Extent.CELLS, START + 5));
        assertThat(verifications.lack(8)).contains(new Lack(Extent.LATEST, START));

        verifications.regain(new Loss(START + 9, START));
        assertThat(verifications.lack(7)).contains(new Lack(Extent.ALL, START + 9));
    }

    @Test
    void tailThatIsRegainedStandsForNoDamageThatWasMetMeanwhile() {
        verifications.regain(new Loss(Verifications.NEVER, START));
        verifications.damaged(7, START - 10).block();

        verifications.regainedTail(7, 0);
        verifications.regainedTail(8, 0);

        assertThat(verifications.isRebuilding(7)).isTrue();
        assertThat(verifications.isRebuilding(8)).isFalse();

        verifications.walkBegins(7);
        verifications.regained(7);
        assertThat(verifications.isRebuilding(7)).isFalse();
    }

    @Test
    void tailDoesNotStandForWhatWasMissingBeforeThatStart() {
        verifications.regain(new Loss(Verifications.NEVER, START + 1));

        assertThat(verifications.lacksOnlyTail(7, START)).isFalse();
        verifications.regainedTail(7, START);

        assertThat(verifications.isRebuilding(7)).isTrue();
    }

    @Test
    void tailDoesNotStandForALostDisk() {
        verifications.regain(new Loss(START, START + 1));

        verifications.regainedTail(7, 0);

        assertThat(verifications.isRebuilding(7)).isTrue();
    }
}
