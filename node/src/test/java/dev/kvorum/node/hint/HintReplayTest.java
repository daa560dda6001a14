package dev.kvorum.node.hint;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.config.HintSettings;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.hint.ManualMembers.ManualMember;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.util.unit.DataSize;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Seen from {@code n1}, in a cluster of three where all own every key. */
class HintReplayTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final Key KEY = Key.of("cart-7");
    private static final Duration AGE_MAX = Duration.ofMinutes(5);
    private static final int CALLS_MAX = 8;

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final Deadlines deadlines = new Deadlines(() -> timer.now(TimeUnit.NANOSECONDS), () -> {});
    private final ManualHintStore store = new ManualHintStore();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final HintMetrics metrics = new HintMetrics(meters, store, this::wallMillis);
    private final Membership membership = new Membership("n1", Topologies.of(1, "n1", "n2", "n3"));
    private final ManualMembers members = new ManualMembers(deadlines::now);
    private final HintRoutes routes = new HintRoutes(membership, members::on);
    private final ManualMember n3 = members.get("n3");
    private final Hints hints = new Hints(store, metrics);
    private HintReplay replay = replay(100_000, DataSize.ofMegabytes(100));

    private HintReplay replay(int writesPerSecond, DataSize bytesPerSecond) {
        HintSettings settings = Settings.of(HintSettings.class)
                .with("bytesMax", DataSize.ofMegabytes(1))
                .with("ageMax", AGE_MAX)
                .with("memory", DataSize.ofMegabytes(1))
                .with("replayWrites", writesPerSecond)
                .with("replayBytes", bytesPerSecond)
                .with("replayCalls", CALLS_MAX)
                .get();
        return new HintReplay(hints, routes, settings, deadlines, this::wallMillis, () -> 0);
    }

    private long wallMillis() {
        return NOW + timer.now(TimeUnit.MILLISECONDS);
    }

    @BeforeEach
    void sweep() {
        var _ = timer.schedulePeriodically(deadlines::sweep, 1, 1, TimeUnit.MILLISECONDS);
    }

    private static Cell cell(int counter) {
        return cell(counter, 3);
    }

    private static Cell cell(int counter, int copies) {
        return Draft.ofValue(new byte[] {1}).stamp(KEY, new Version((NOW << 16) + counter, 7), copies);
    }

    private List<Cell> keep(String member, int hintsToKeep) {
        List<Cell> cells = new ArrayList<>();
        for (int i = 1; i <= hintsToKeep; i++) {
            cells.add(cell(i));
            hints.keep(member, KEY, cell(i));
        }
        return cells;
    }

    private void pass(Duration time) {
        timer.advanceTimeBy(time);
    }

    private ObservedReplica replicaOn(String member) {
        return members.on(Topologies.member(member));
    }

    /** As reads would find out. */
    private void breakerOpens() {
        n3.reason = Reason.UNREACHABLE;
        for (int i = 0; i < 5; i++) {
            var _ = replicaOn("n3").bring(KEY, cell(0), 1).subscribe();
        }
        assertThat(replicaOn("n3").health().isTrusted(deadlines.now())).isFalse();
        n3.sent.clear();
    }

    private double counted(String name, String... tags) {
        return meters.get(name).tags(tags).counter().count();
    }

    @Test
    void hintsAreBroughtInTheirOrderAndForgottenOnceTheyAreTaken() {
        List<Cell> owed = keep("n3", 100);
        replay.start();

        pass(Duration.ofSeconds(2));

        assertThat(n3.taken).isEqualTo(owed);
        assertThat(store.waiting()).isEmpty();
        assertThat(counted("kvorum.hints.replayed")).isEqualTo(100);
    }

    @Test
    void hintGoesOnlyToTheReplicaItIsOwedBy() {
        keep("n3", 1);
        replay.start();

        pass(Duration.ofSeconds(2));

        assertThat(n3.taken).hasSize(1);
        assertThat(members.get("n1").sent).isEmpty();
        assertThat(members.get("n2").sent).isEmpty();
    }

    @Test
    void hintThatComesLaterIsBroughtWithinTwoSeconds() {
        replay.start();
        pass(Duration.ofSeconds(10));

        keep("n3", 1);
        pass(Duration.ofSeconds(2));

        assertThat(n3.taken).hasSize(1);
    }

    @Test
    void nodeBringsItselfWhatItsOwnDiskDidNotTake() {
        List<Cell> owed = keep("n1", 3);
        replay.start();

        pass(Duration.ofSeconds(2));

        assertThat(members.get("n1").taken).isEqualTo(owed);
    }

    @Test
    void troubleIsLoggedOnceAndItsEndOnce() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(HintLane.class);
        log.start();
        logger.addAppender(log);
        try {
            keep("n3", 20);
            store.fails = true;
            replay.start();
            pass(Duration.ofMinutes(1));
            assertThat(log.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN);

            store.fails = false;
            pass(Duration.ofMinutes(1));

            assertThat(log.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN, Level.INFO);
            assertThat(store.waiting()).isEmpty();
        } finally {
            logger.detachAppender(log);
        }
    }

    @Test
    void whatIsNotTakenStaysAndIsBroughtAgainOnceItIs() {
        List<Cell> owed = keep("n3", 20);
        n3.reason = Reason.UNREACHABLE;
        replay.start();
        pass(Duration.ofMinutes(1));

        assertThat(store.owed("n3")).isEqualTo(owed);

        n3.reason = null;
        pass(Duration.ofMinutes(1));

        assertThat(n3.taken).containsExactlyInAnyOrderElementsOf(owed);
        assertThat(store.waiting()).isEmpty();
    }

    @Test
    void memberThatDoesNotAnswerIsSentOneHintAtATimeAndEverMoreSeldom() {
        keep("n3", 1000);
        n3.reason = Reason.TIMED_OUT;
        replay.start();

        pass(Duration.ofSeconds(10));

        assertThat(n3.sent).hasSizeBetween(3, 6);

        n3.sent.clear();
        pass(Duration.ofMinutes(2));

        assertThat(n3.sent).as("one in 8 s").hasSizeBetween(10, 20);
    }

    @Test
    void frozenMemberHasNoMoreThanOneBatchToAnswer() {
        keep("n3", 1000);
        n3.frozen = true;
        replay.start();

        pass(Duration.ofMinutes(1));

        assertThat(n3.sent).hasSize(1);

        n3.answer(Reason.TIMED_OUT);
        pass(Duration.ofMinutes(1));

        assertThat(n3.sent).hasSize(2);
    }

    @Test
    void batchesGrowFromOneToTheirBoundWhileAllIsWellAndShrinkAtTheFirstFailure() {
        keep("n3", 64);
        replay.start();
        pass(Duration.ofSeconds(1));
        n3.frozen = true;
        keep("n3", 64);
        pass(Duration.ofSeconds(2));

        assertThat(n3.waitingMost).isEqualTo(CALLS_MAX);

        n3.waitingMost = 0;
        n3.answer(Reason.OVERLOADED);
        pass(Duration.ofSeconds(10));

        assertThat(n3.waitingMost).isOne();
    }

    @Test
    void onlyWhatWasTakenOfABatchIsForgotten() {
        List<Cell> owed = keep("n3", 8);
        n3.poison = owed.get(4);
        replay.start();

        pass(Duration.ofSeconds(1));

        assertThat(store.owed("n3")).contains(owed.get(4)).doesNotContain(owed.get(0), owed.get(1), owed.get(2));
        assertThat(n3.taken).doesNotContain(owed.get(4));
    }

    @Test
    void hintThatIsNeverTakenHoldsUpTheOthersOnlyForAWhile() {
        List<Cell> owed = keep("n3", 20);
        n3.poison = owed.getFirst();
        replay.start();

        pass(Duration.ofSeconds(20));

        assertThat(store.owed("n3")).containsExactly(n3.poison);
        assertThat(n3.taken).hasSize(19).doesNotHaveDuplicates();

        n3.sent.clear();
        pass(Duration.ofMinutes(2));

        assertThat(n3.sent).as("it is still tried, seldom").isNotEmpty().hasSizeLessThan(40);

        n3.poison = null;
        pass(Duration.ofMinutes(1));

        assertThat(store.waiting()).isEmpty();
    }

    @Test
    void refusedHintHoldsUpNobodyAndIsTriedAgain() {
        n3.reason = Reason.REFUSED;
        List<Cell> owed = keep("n3", 3);
        replay.start();
        pass(Duration.ofSeconds(20));

        assertThat(store.owed("n3")).isEqualTo(owed);
        assertThat(counted("kvorum.hints.refused")).isBetween(3.0, 30.0);

        n3.reason = null;
        pass(Duration.ofSeconds(40));

        assertThat(n3.taken).containsExactlyInAnyOrderElementsOf(owed);
        assertThat(store.waiting()).isEmpty();
    }

    @Test
    void memberThatReadsAvoidIsLeftAloneUntilItsBreakerAsksForAProbe() {
        breakerOpens();
        keep("n3", 50);
        replay.start();

        pass(Duration.ofMillis(10));

        assertThat(n3.sent).as("the breaker waits for 100 ms").isEmpty();

        pass(Duration.ofSeconds(3));

        assertThat(n3.sent).isNotEmpty().hasSizeLessThan(5);

        n3.reason = null;
        pass(Duration.ofSeconds(20));

        assertThat(n3.taken).hasSize(50);
    }

    @Test
    void memberThatIsTrustedAgainGetsItsHintsAtOnce() {
        n3.reason = Reason.UNREACHABLE;
        keep("n3", 10);
        replay.start();
        pass(Duration.ofMinutes(1)); // The next attempt is some seconds away.

        n3.reason = null;
        var _ = replicaOn("n3").bring(KEY, cell(99), 1).subscribe(); // As a client's write would.
        replay.trusted("n3");
        pass(Duration.ofMillis(100));

        assertThat(n3.taken).hasSize(11);
    }

    @Test
    void hintsAreBroughtNoFasterThanTold() {
        replay = replay(100, DataSize.ofMegabytes(100));
        keep("n3", 1000);
        replay.start();

        pass(Duration.ofSeconds(5));

        assertThat(n3.taken).hasSizeBetween(480, 510 + CALLS_MAX);
    }

    @Test
    void allMembersTogetherGetNoMoreBytesThanTold() {
        replay = replay(1_000_000, DataSize.ofKilobytes(64)); // A hint counts 100.
        keep("n2", 4000);
        keep("n3", 4000);
        replay.start();

        pass(Duration.ofSeconds(5));

        assertThat((members.get("n2").taken.size() + n3.taken.size()) * 100.0 / (5 * 65536))
                .isBetween(0.9, 1.05);
        assertThat(n3.taken).as("neither starves").hasSizeBetween(1000, 2300);
    }

    @Test
    void hintThatIsTooOldIsBroughtToNobody() {
        n3.reason = Reason.UNREACHABLE;
        keep("n3", 10);
        replay.start();
        pass(AGE_MAX.plusSeconds(2));

        assertThat(store.waiting()).isEmpty();
        assertThat(counted("kvorum.hints.dropped", "reason", "expired")).isEqualTo(10);

        n3.reason = null;
        n3.sent.clear();
        pass(Duration.ofMinutes(1));

        assertThat(n3.sent).isEmpty();
    }

    /** The store lets go what is old at the heads of its queues; between younger ones it is seen here. */
    @Test
    void oldHintBehindAYoungerOneIsBroughtToNobodyEither() {
        hints.keep("n3", KEY, cell(1));
        hints.keep("n3", KEY, Draft.tombstone().stamp(KEY, new Version((NOW - AGE_MAX.toMillis() - 1) << 16, 7), 3));
        store.expires = false;
        replay.start();

        pass(Duration.ofSeconds(2));

        assertThat(n3.taken).containsExactly(cell(1));
        assertThat(store.waiting()).isEmpty();
        assertThat(counted("kvorum.hints.dropped", "reason", "expired")).isOne();
    }

    @Test
    void hintsThatANodeFindsOnItsDiskAreBroughtByItsNextLife() {
        List<Cell> owed = keep("n3", 100);
        n3.reason = Reason.UNREACHABLE;
        replay.start();
        pass(Duration.ofSeconds(5));
        replay.close();

        n3.reason = null;
        n3.sent.clear();
        pass(Duration.ofMinutes(1));

        assertThat(n3.sent).as("it is closed").isEmpty();

        replay = replay(100_000, DataSize.ofMegabytes(100));
        replay.start();
        pass(Duration.ofSeconds(2));

        assertThat(n3.taken).isEqualTo(owed);
    }

    @Test
    void storeThatFailsForAWhileLosesNothing() {
        List<Cell> owed = keep("n3", 10);
        store.fails = true;
        replay.start();
        pass(Duration.ofSeconds(10));
        store.fails = false;

        pass(Duration.ofSeconds(20));

        assertThat(n3.taken).containsAll(owed);
        assertThat(store.waiting()).isEmpty();
    }

    @Test
    void hintThatCannotBeStoredIsCounted() {
        store.fails = true;

        hints.keep("n3", KEY, cell(1));

        assertThat(counted("kvorum.hints.dropped", "reason", "unstorable")).isOne();
        assertThat(counted("kvorum.hints.stored")).isZero();
    }

    @Test
    void hintsThatHadToGoForOthersAreCounted() {
        store.gone = 3;

        hints.keep("n3", KEY, cell(1));

        assertThat(counted("kvorum.hints.dropped", "reason", "full")).isEqualTo(3);
        assertThat(counted("kvorum.hints.stored")).isOne();
    }

    @Test
    void hintOfAMemberThatLeftIsBroughtToThoseWhoOwnTheKeyNow() {
        n3.reason = Reason.UNREACHABLE;
        List<Cell> owed = keep("n3", 10);
        replay.start();
        pass(Duration.ofSeconds(5));
        n3.sent.clear();

        membership.offer(Topologies.of(2, "n1", "n2", "n4"));
        pass(Duration.ofSeconds(20));

        for (String owner : List.of("n1", "n2", "n4")) {
            assertThat(members.get(owner).taken).as(owner).containsExactlyInAnyOrderElementsOf(owed);
        }
        assertThat(n3.sent).isEmpty();
        assertThat(store.waiting()).isEmpty();
        assertThat(counted("kvorum.hints.rerouted")).isEqualTo(10);
        assertThat(meters.find("kvorum.hints.waiting").tag("member", "n3").gauge())
                .isNull();
    }

    @Test
    void hintOfAMemberThatLeftStaysUntilAllOwnersHaveIt() {
        members.get("n4").reason = Reason.UNREACHABLE;
        keep("n3", 2);
        membership.offer(Topologies.of(2, "n1", "n2", "n4"));
        replay.start();
        pass(Duration.ofSeconds(20));

        assertThat(store.owed("n3")).hasSize(2);

        members.get("n4").reason = null;
        pass(Duration.ofSeconds(30));

        assertThat(members.get("n4").taken).hasSize(2);
        assertThat(store.waiting()).isEmpty();
    }

    @Test
    void hintForAMemberThatIsToOwnTheKeyIsBroughtToIt() {
        List<Member> joining = new ArrayList<>(Topologies.of(1, "n1", "n2").members());
        joining.add(Topologies.member("n4", MemberState.JOINING));
        membership.offer(Topologies.of(2, joining));
        keep("n4", 1);
        replay.start();

        pass(Duration.ofSeconds(2));

        assertThat(members.get("n4").taken).hasSize(1);
        assertThat(members.get("n2").sent).isEmpty();
    }

    @Test
    void whatWaitsIsShownByMember() {
        replay.start();
        pass(Duration.ofSeconds(2));
        assertThat(waiting("kvorum.hints.waiting", "n3")).isZero();

        n3.reason = Reason.UNREACHABLE;
        keep("n3", 7);
        pass(Duration.ofSeconds(10));

        assertThat(waiting("kvorum.hints.waiting", "n3")).isEqualTo(7);
        assertThat(waiting("kvorum.hints.waiting.bytes", "n3")).isEqualTo(700);
        assertThat(waiting("kvorum.hints.oldest.seconds", "n3")).isEqualTo(12);
        assertThat(waiting("kvorum.hints.waiting", "n2")).isZero();
    }

    private double waiting(String name, String member) {
        return meters.get(name).tag("member", member).gauge().value();
    }

    @Test
    void metersOfAMemberThatComesBackComeBackToo() {
        replay.start();
        pass(Duration.ofSeconds(2));
        membership.offer(Topologies.of(2, "n1", "n2"));
        pass(Duration.ofSeconds(5));
        assertThat(meters.find("kvorum.hints.waiting").tag("member", "n3").gauge())
                .isNull();

        membership.offer(Topologies.of(3, "n1", "n2", "n3"));
        pass(Duration.ofSeconds(5));

        assertThat(waiting("kvorum.hints.waiting", "n3")).isZero();
    }
}
