package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.hint.HintMetrics;
import dev.kvorum.node.hint.Hints;
import dev.kvorum.node.hint.ManualHintStore;
import dev.kvorum.node.quorum.Quorum;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** As {@link RacingReadsTest}, for writes: each has one outcome, and none stays under way. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RacingWritesTest {
    private static final int WRITES = 40_000;
    private static final Quorum QUORUM = new Quorum(2, 4);

    private final RacingReplicas replicas = new RacingReplicas();
    private final ManualHintStore store = new ManualHintStore();
    private final InFlight inFlight = new InFlight();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger twice = new AtomicInteger();
    private final AtomicInteger wrong = new AtomicInteger();

    private WriteCoordinator writes() {
        return new WriteCoordinator(
                replicas.plans(),
                new HybridClock(() -> 1, 42, Duration.ofSeconds(10), 0),
                Duration.ofMillis(20),
                replicas.deadlines,
                inFlight,
                new Hints(store, new HintMetrics(new SimpleMeterRegistry(), store, () -> 1)));
    }

    @Test
    void everyWriteHasExactlyOneOutcomeAndAnEnd() throws InterruptedException {
        WriteCoordinator writes = writes();
        Random random = new Random(replicas.seed + 2);
        replicas.start();

        for (int i = 0; i < WRITES; i++) {
            write(writes, random);
            while (open.get() > 200) {
                Thread.onSpinWait();
            }
        }
        while (open.get() > 0) {
            Thread.onSpinWait(); // The deadline ends them all.
        }
        replicas.stop();

        assertThat(twice).as("told twice, seed " + replicas.seed).hasValue(0);
        assertThat(wrong).as("wrong outcomes, seed " + replicas.seed).hasValue(0);
        assertThat(replicas.asked())
                .as("calls, those of renewed writes among them")
                .isGreaterThan(4L * WRITES);
        assertThat(replicas.deadlines.sweep()).isEqualTo(Deadlines.NEVER);
        assertThat(inFlight.writes()).as("seed " + replicas.seed).isZero();
    }

    private void write(WriteCoordinator writes, Random random) {
        open.incrementAndGet();
        AtomicInteger told = new AtomicInteger();
        AtomicBoolean closed = new AtomicBoolean();
        var client = writes.write(
                        Key.of("key-" + random.nextInt(50)), Draft.ofValue(new byte[] {7}), AskedQuorums.said(QUORUM))
                .subscribe(outcome -> {
                    twice.addAndGet(told.getAndIncrement());
                    close(closed);
                    check(outcome);
                });
        if (random.nextInt(10) == 0) {
            replicas.leaves(client);
            close(closed);
        }
    }

    private void close(AtomicBoolean closed) {
        if (closed.compareAndSet(false, true)) {
            open.decrementAndGet();
        }
    }

    private void check(WriteOutcome outcome) {
        boolean right = switch (outcome) {
            case WriteOutcome.Written written -> written.acks() == 2;
            case WriteOutcome.Unavailable unavailable ->
                unavailable.shortfall().failures().size() == 3;
            case WriteOutcome.TimedOut late -> late.shortfall().acks() < 2;
            case WriteOutcome.Rejected rejected -> false;
        };
        if (!right) {
            wrong.incrementAndGet();
        }
    }
}
