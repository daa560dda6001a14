package dev.kvorum.node.clock;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.heartbeat.Heartbeat;
import dev.kvorum.node.heartbeat.Heartbeats;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.Topologies;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.Member;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class ClockWatchTest {
    private static final long START = 1_700_000_000_000L;
    private static final Duration AHEAD_MAX = Duration.ofSeconds(10);

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final Deadlines deadlines = new Deadlines(() -> timer.now(TimeUnit.NANOSECONDS), () -> {});
    private final Membership membership = new Membership("n1", Topologies.of(1, "n1", "n2", "n3"));
    private final Map<String, Long> wrongBy = new HashMap<>(); // Milliseconds, of other members.
    private final Set<String> silent = new HashSet<>();
    private final Set<String> failing = new HashSet<>();
    private long wallStep;
    private final SteadyClock clock = new SteadyClock(this::wall, deadlines::now);
    private final ClockWatch watch = new ClockWatch(clock, membership, deadlines, AHEAD_MAX);
    private final Heartbeat heartbeat = Heartbeats.of(watch, membership, this::call, deadlines);

    ClockWatchTest() {
        var _ = timer.schedulePeriodically(deadlines::sweep, 1, 1, TimeUnit.MILLISECONDS);
    }

    private long right() {
        return START + timer.now(TimeUnit.MILLISECONDS);
    }

    private long wall() {
        return right() + wallStep;
    }

    private Mono<CallReply> call(Member member, PeerOperation operation, long epoch, byte[] body) {
        assertThat(operation).isEqualTo(PeerOperation.HEARTBEAT);
        if (silent.contains(member.id())) {
            return Mono.never();
        }
        if (failing.contains(member.id())) {
            return Mono.just(new ReplicaFailure(member.id(), Reason.UNREACHABLE, "as the test says"));
        }
        long shown = right() + wrongBy.getOrDefault(member.id(), 0L);
        return Mono.just(new CallReply.Done(
                ByteBuffer.allocate(48).putLong(shown).putLong(shown).array()));
    }

    private void seconds(int count) {
        timer.advanceTimeBy(Duration.ofSeconds(count));
    }

    @Test
    void clockThatAgreesIsTrusted() {
        heartbeat.start();
        seconds(3);

        assertThat(watch.skew()).isEmpty();
        assertThat(watch.offsetSeconds()).isZero();
    }

    @Test
    void stepOfTheWallClockChangesNothingButIsShown() {
        heartbeat.start();
        wallStep = -3_600_000;
        seconds(3);

        assertThat(clock.millis()).isEqualTo(right());
        assertThat(watch.skew()).isEmpty();
        assertThat(watch.wallOffsetSeconds()).isEqualTo(-3600);
    }

    @Test
    void nodeThatBeganWithAWrongClockIsSkewedUntilItIsSetRight() {
        wrongBy.put("n2", 40_000L);
        wrongBy.put("n3", 40_000L); // So this one began 40 s behind.
        heartbeat.beat().block();

        assertThat(watch.isSkewed()).isTrue();
        assertThat(watch.skew().orElseThrow().inWords()).isEqualTo("40.0 s behind");
        assertThat(watch.millis()).isEqualTo(right() + 40_000);
        assertThat(clock.millis()).isEqualTo(right());

        wallStep = 40_000;
        heartbeat.beat().block();

        assertThat(watch.isSkewed()).isFalse();
        assertThat(clock.millis()).isEqualTo(right() + 40_000);
        assertThat(watch.millis()).isEqualTo(right() + 40_000);
    }

    @Test
    void offsetWithinTheLimitIsToleratedAndMadeUpFor() {
        wrongBy.put("n2", 9_000L);
        wrongBy.put("n3", 9_000L);
        heartbeat.beat().block();

        assertThat(watch.isSkewed()).isFalse();
        assertThat(watch.offsetSeconds()).isEqualTo(-9);
        assertThat(watch.millis()).isEqualTo(right() + 9_000);
    }

    /** A member that is restarted must not make a wrong clock right. */
    @Test
    void whatAMajorityHasSaidCountsUntilOneSaysOtherwise() {
        wrongBy.put("n2", 40_000L);
        wrongBy.put("n3", 40_000L);
        heartbeat.start();
        seconds(2);
        assertThat(watch.isSkewed()).isTrue();

        silent.add("n2");
        seconds(20);

        assertThat(watch.isSkewed()).isTrue();
        assertThat(watch.millis()).isEqualTo(right() + 40_000);
        assertThat(watch.offsetSeconds()).isNaN();
        assertThat(watch.spreadSeconds()).isEqualTo(40);
    }

    /** The walls of two of three agree, while no two steady clocks do. */
    @Test
    void stepThatIsTakenOverIsNoJumpThoughNoMajorityOfSteadyClocksIsHeard() {
        wrongBy.put("n2", 40_000L);
        wrongBy.put("n3", 40_000L);
        heartbeat.start();
        seconds(2);
        assertThat(watch.millis()).isEqualTo(right() + 40_000);
        silent.add("n2");
        seconds(8); // What it has said does not count any more.

        wallStep = 40_000;
        for (int i = 0; i < 50; i++) {
            timer.advanceTimeBy(Duration.ofMillis(100));
            assertThat(watch.millis()).isEqualTo(right() + 40_000);
        }

        assertThat(clock.millis()).isEqualTo(right() + 40_000);
    }

    /** Between the two changes a version of an hour ahead could be issued. */
    @Test
    void stepThatIsTakenOverIsNoJumpAtAnyInstant() {
        wrongBy.put("n2", -40_000L);
        wrongBy.put("n3", -40_000L);
        heartbeat.beat().block();
        wallStep = -40_000;
        List<Long> seen = new ArrayList<>();
        ListAppender<ILoggingEvent> log = new ListAppender<>() {
            @Override
            protected void append(ILoggingEvent line) {
                seen.add(watch.millis() - right());
            }
        };
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(ClockWatch.class);
        logger.addAppender(log);
        try {
            heartbeat.beat().block();
        } finally {
            logger.detachAppender(log);
        }

        assertThat(seen).isNotEmpty().containsOnly(-40_000L);
    }

    @Test
    void skewEndsOnlyWhereTheClockIsWellWithinTheLimit() {
        wrongBy.put("n2", 10_100L);
        wrongBy.put("n3", 10_100L);
        heartbeat.beat().block();
        assertThat(watch.isSkewed()).isTrue();

        wrongBy.replaceAll((member, by) -> 9_500L);
        heartbeat.beat().block();
        assertThat(watch.isSkewed()).isTrue();

        wrongBy.replaceAll((member, by) -> 8_900L);
        heartbeat.beat().block();
        assertThat(watch.isSkewed()).isFalse();
    }

    @Test
    void timesThatCannotBeAreNotHeard() {
        for (long absurd : new long[] {Long.MIN_VALUE, -1, Long.MAX_VALUE}) {
            wrongBy.put("n2", absurd - right());
            wrongBy.put("n3", absurd - right());
            heartbeat.beat().block();
        }

        assertThat(watch.isSkewed()).isFalse();
        assertThat(watch.offsetSeconds()).isNaN();
    }

    @Test
    void nodeThatHearsNoMajorityGoesByItsOwnClockAndTakesAStepSlowly() {
        silent.add("n2");
        failing.add("n3");
        wallStep = 60_000;
        heartbeat.start();
        seconds(10);

        assertThat(watch.isSkewed()).isFalse();
        assertThat(watch.offsetSeconds()).isNaN();
        assertThat(clock.millis() - right()).isBetween(30L, 100L);
    }

    @Test
    void memberThatIsSilentHoldsNoComparisonUpForLongerThanASecond() {
        silent.add("n2");
        var done = heartbeat.beat().toFuture();
        timer.advanceTimeBy(Duration.ofMillis(990));
        assertThat(done).isNotDone();

        timer.advanceTimeBy(Duration.ofMillis(20));

        assertThat(done).isDone();
        assertThat(watch.offsetSeconds()).isZero(); // n3 and this one are two of three.
    }

    @Test
    void whatWasHeardLongAgoDoesNotCount() {
        heartbeat.start();
        seconds(2);
        silent.addAll(Set.of("n2", "n3"));
        seconds(8);

        assertThat(watch.offsetSeconds()).isNaN();
    }

    @Test
    void memberThatHasLeftDoesNotCount() {
        wrongBy.put("n2", 60_000L);
        wrongBy.put("n3", 60_000L);
        heartbeat.beat().block();
        assertThat(watch.isSkewed()).isTrue();
        seconds(1);

        membership.offer(Topologies.of(2, "n1"));
        heartbeat.beat().block();

        assertThat(watch.isSkewed()).isFalse();
    }

    @Test
    void nothingIsComparedAfterTheEnd() {
        heartbeat.start();
        seconds(2);
        heartbeat.close();
        seconds(2);
        wrongBy.put("n2", 60_000L);
        wrongBy.put("n3", 60_000L);
        seconds(3);

        assertThat(watch.isSkewed()).isFalse();
    }
}
