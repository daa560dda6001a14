package dev.kvorum.node.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static reactor.core.publisher.Sinks.EmitFailureHandler.FAIL_FAST;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** What the calls to a replica tell of it, on a clock that the test moves. */
class ObservedReplicaTest {
    private static final Key KEY = Key.of("cart-7");
    private static final Cell CELL = Draft.tombstone().stamp(KEY, new Version(1, 1), 3);
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final ReadReply ABSENT = new ReadReply.Absent("n2");

    /** Each call waits for an answer of its own. */
    private static final class Calls implements Replica {
        private final Deque<Sinks.One<Object>> waiting = new ArrayDeque<>();
        private final List<Long> waits = new ArrayList<>();
        private int cancelled;

        @Override
        public String member() {
            return "n2";
        }

        @Override
        public Mono<WriteReply> write(Key key, Cell cell, long epoch) {
            return call().cast(WriteReply.class);
        }

        @Override
        public Mono<WriteReply> bring(Key key, Cell cell, long epoch) {
            return write(key, cell, epoch);
        }

        @Override
        public Mono<ReadReply> read(Key key, long epoch, long waitNanos) {
            waits.add(waitNanos);
            return call().cast(ReadReply.class);
        }

        private Mono<Object> call() {
            Sinks.One<Object> answer = Sinks.one();
            waiting.add(answer);
            return answer.asMono().doOnCancel(() -> {
                waiting.remove(answer);
                cancelled++;
            });
        }

        /** Answers the oldest call that waits. */
        void answer(Object reply) {
            waiting.remove().emitValue(reply, FAIL_FAST);
        }
    }

    private final Calls calls = new Calls();
    private final List<Object> replies = new ArrayList<>();
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private long now;
    private final ReplicaHealth health = new ReplicaHealth(() -> 0, (state, why) -> {}, now);
    private final ReplicaMetrics metrics = metricsOfAMember();
    private final ObservedReplica replica = new ObservedReplica(calls, "zone", health, () -> now, metrics);

    private ReplicaMetrics metricsOfAMember() {
        ReplicaMetrics ofMember = new ReplicaMetrics(meters);
        ofMember.become(Set.of("n2"), member -> health, () -> now);
        return ofMember;
    }

    @Test
    void callsCountForAMemberOnlyWhileItIsOne() {
        var _ = read();
        var _ = read();
        var _ = read();
        calls.answer(ABSENT);

        metrics.become(Set.of("n1"), member -> health, () -> now);
        calls.answer(ABSENT);
        metrics.breakerChanged("n2", Breaker.State.OPEN);
        assertThat(meters.getMeters())
                .noneMatch(meter -> "n2".equals(meter.getId().getTag("member")));

        metrics.become(Set.of("n1", "n2"), member -> health, () -> now);
        ObservedReplica again = new ObservedReplica(calls, "zone", health, () -> now, metrics);
        var _ = again.read(KEY, 1).subscribe();
        calls.answer(ABSENT);
        calls.answer(ABSENT);
        assertThat(meters.get("kvorum.replica.calls")
                        .tag("member", "n2")
                        .timer()
                        .count())
                .isEqualTo(1);
        assertThat(meters.get("kvorum.replica.breaker").tag("member", "n2").gauge())
                .isNotNull();
    }

    private Disposable read() {
        return replica.read(KEY, 1).subscribe(replies::add);
    }

    private Disposable write() {
        return replica.write(KEY, CELL, 1).subscribe(replies::add);
    }

    private double count(String meter) {
        return meters.get(meter).counter().count();
    }

    private void fail(Reason reason, int times) {
        for (int i = 0; i < times; i++) {
            var _ = read();
            calls.answer(new ReplicaFailure("n2", reason, "as the test says"));
        }
    }

    /** It may become the witness, which tells one that is slow from one that is silent. */
    @Test
    void replicaHasTheTimeThatTellsWhetherItIsSilentThoughTheCallerWaitsForLess() {
        var _ = replica.read(KEY, 1, 3 * MILLI).subscribe();
        var _ = replica.read(KEY, 1, 300 * MILLI).subscribe();

        assertThat(calls.waits).containsExactly(ReplicaHealth.SILENCE_MILLIS * MILLI, 300 * MILLI);
    }

    @Test
    void readIsTimedFromItsSubscriptionToItsAnswer() {
        var _ = read();
        now += 3 * MILLI;
        calls.answer(ABSENT);

        assertThat(replies).containsExactly(ABSENT);
        assertThat(health.average(now)).isEqualTo(3.0 * MILLI);
        assertThat(health.inFlight()).isZero();
    }

    /** A coordinator cancels all its replicas with the reply that decides, before that reply's own completion. */
    @Test
    void readWhoseAnswerWasUsedIsNotCountedAsCancelled() {
        var _ = Flux.just(replica)
                .flatMap(one -> one.read(KEY, 1))
                .takeUntil(reply -> true)
                .subscribe(replies::add);

        calls.answer(ABSENT);

        assertThat(replies).hasSize(1);
        assertThat(count("kvorum.replica.cancelled")).isZero();
    }

    @Test
    void callsAreCountedAndTimedByOperationAndOutcome() {
        var _ = read();
        now += 3 * MILLI;
        calls.answer(ABSENT);
        var _ = write();
        calls.answer(new ReplicaFailure("n2", Reason.OVERLOADED, "as the test says"));

        assertThat(timer("read", "success").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(3);
        assertThat(timer("write", "overloaded").count()).isOne();
    }

    private Timer timer(String operation, String outcome) {
        return meters.get("kvorum.replica.calls")
                .tags("operation", operation, "outcome", outcome)
                .timer();
    }

    @Test
    void costGrowsWithTheCallsThatWait() {
        var _ = read();
        calls.answer(ABSENT);
        var _ = read();
        now += MILLI;
        calls.answer(ABSENT);
        double idle = health.cost(now);

        var _ = read();
        var _ = write();

        assertThat(health.cost(now)).isEqualTo(3 * idle);
    }

    @Test
    void writeSaysNothingOfHowLongReadsTake() {
        var _ = write();
        now += 3 * MILLI;
        calls.answer(new WriteReply.Stored("n2"));

        assertThat(health.average(now)).isZero();
        assertThat(health.inFlight()).isZero();
    }

    @Test
    void cancelledReadIsCancelledAtTheReplicaAndCountsForAtLeastItsTime() {
        now += ReplicaHealth.WITNESS_MILLIS * MILLI - 1;
        Disposable read = read();
        read.dispose();
        read = read();
        now += MILLI;
        calls.waiting.clear();

        assertThat(calls.cancelled).isOne();
        assertThat(count("kvorum.replica.cancelled")).isOne();
        assertThat(health.inFlight()).isOne();

        read.dispose();

        assertThat(health.average(now)).isEqualTo(1.0 * MILLI);
    }

    @Test
    void oneCancelledReadAtATimeIsSeenToItsEndWhereNothingElseIsHeard() {
        now += ReplicaHealth.WITNESS_MILLIS * MILLI;
        Disposable witness = read();
        Disposable another = read();

        witness.dispose();
        another.dispose();

        assertThat(calls.cancelled).isOne();
        assertThat(count("kvorum.replica.witnesses")).isOne();
        assertThat(health.inFlight()).isOne();

        now += 5 * MILLI;
        calls.answer(ABSENT);

        assertThat(replies).as("nobody waits for it").isEmpty();
        assertThat(health.inFlight()).isZero();
        assertThat(health.average(now)).isEqualTo(5.0 * MILLI);
    }

    /** What it takes to write tells nothing of its reads, which are all cancelled. */
    @Test
    void replicaThatAlwaysAnswersReadsLastIsMeasuredThoughItAnswersWrites() {
        for (int i = 0; i < 200; i++) {
            Disposable read = read();
            now += MILLI / 2;
            read.dispose();
            now += 5 * MILLI;
            while (!calls.waiting.isEmpty()) {
                calls.answer(ABSENT);
            }
            var _ = write();
            calls.answer(new WriteReply.Stored("n2"));
        }

        assertThat(health.average(now)).isGreaterThan(3.0 * MILLI);
    }

    @Test
    void replicaWhoseReadsNobodyAsksForWantsToBeMeasuredOnceInAQuarterOfASecond() {
        now += ReplicaHealth.MEASURED_MILLIS * MILLI;
        assertThat(health.wantsMeasuring(now)).isTrue();

        Disposable witness = read();
        witness.dispose();
        assertThat(health.wantsMeasuring(now)).as("one is under way").isFalse();
        calls.answer(ABSENT);

        assertThat(health.wantsMeasuring(now)).isFalse();
        now += ReplicaHealth.MEASURED_MILLIS * MILLI;
        assertThat(health.wantsMeasuring(now)).isTrue();
    }

    @Test
    void replicaThatAlwaysAnswersLastIsNotTakenForSilent() {
        for (int i = 0;
                i < 2000;
                i++) { // Each read is decided a millisecond before this replica would have answered it.
            Disposable read = read();
            now += MILLI;
            assertThat(health.isTrusted(now)).isTrue();
            read.dispose();
            now += MILLI;
            while (!calls.waiting.isEmpty()) {
                calls.answer(ABSENT);
            }
        }

        assertThat(count("kvorum.replica.witnesses")).isBetween(30.0, 90.0);
    }

    @Test
    void frozenReplicaIsAvoidedWithinHalfASecondThoughNobodyWaitsForIt() {
        long frozen = now;
        while (health.isTrusted(now)) {
            Disposable read = read();
            now += MILLI;
            read.dispose();
        }

        assertThat(now - frozen).isLessThan(400 * MILLI);
    }

    @Test
    void writesAloneShowThatAReplicaIsFrozen() {
        long frozen = now;
        while (health.isTrusted(now)) {
            var _ = write();
            now += 10 * MILLI;
        }

        assertThat(now - frozen).isLessThan(400 * MILLI);
    }

    @Test
    void pauseOfThisNodeIsNotTheSilenceOfOthers() {
        var _ = read();
        now += 5000 * MILLI;

        assertThat(health.isTrusted(now)).isTrue();

        calls.answer(ABSENT);

        assertThat(health.isTrusted(now)).isTrue();
    }

    @Test
    void idleReplicaIsNotSilent() {
        var _ = read();
        calls.answer(ABSENT);

        for (int i = 0; i < 100; i++) {
            now += 100 * MILLI;
            assertThat(health.isTrusted(now)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Reason.class,
            names = {"UNREACHABLE", "TIMED_OUT", "BROKEN"})
    void replicaThatFailsTimeAndAgainIsAvoided(Reason reason) {
        fail(reason, Breaker.FAILURES_MAX);

        assertThat(health.isTrusted(now)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = Reason.class,
            names = {"OVERLOADED", "REFUSED"})
    void replicaThatRefusesIsNotAvoidedButCostsMore(Reason reason) {
        var _ = read();
        now += MILLI;
        calls.answer(ABSENT);
        double before = health.cost(now);

        fail(reason, 100);

        assertThat(health.isTrusted(now)).isTrue();
        assertThat(health.cost(now)).isGreaterThan(2 * before);
        assertThat(health.p99(now)).as("reads are not slower for it").isLessThan(2 * MILLI);
    }

    @Test
    void probeIsSeenToItsEndAndItsAnswerRestoresTrust() {
        fail(Reason.UNREACHABLE, Breaker.FAILURES_MAX);
        now += Breaker.BACK_OFF_MIN;
        assertThat(health.wantsProbe(now)).isTrue();

        Disposable probe = read();
        probe.dispose();

        assertThat(health.wantsProbe(now)).isFalse();
        assertThat(calls.cancelled).isZero();

        now += MILLI;
        calls.answer(ABSENT);

        assertThat(health.isTrusted(now)).isTrue();
    }

    @Test
    void writeIsAProbeLikeAnyOther() {
        fail(Reason.UNREACHABLE, Breaker.FAILURES_MAX);
        now += Breaker.BACK_OFF_MIN;

        var _ = write();
        calls.answer(new WriteReply.Stored("n2"));

        assertThat(health.isTrusted(now)).isTrue();
    }
}
