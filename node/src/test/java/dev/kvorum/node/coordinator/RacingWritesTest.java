package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.hint.HintMetrics;
import dev.kvorum.node.hint.Hints;
import dev.kvorum.node.hint.ManualHintStore;
import dev.kvorum.node.quorum.Quorum;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Optional;
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

    private WriteCoordinator writes() {
        return new WriteCoordinator(
                replicas.plans(),
                new Stamping(new HybridClock(() -> 1, 42, Duration.ofSeconds(10), 0), Optional::empty),
                Duration.ofMillis(20),
                replicas.deadlines,
                inFlight,
                new Hints(store, new HintMetrics(new SimpleMeterRegistry(), store, () -> 1)));
    }

    @Test
    void everyWriteHasExactlyOneOutcomeAndAnEnd() throws InterruptedException {
        WriteCoordinator writes = writes();

        new RacingClients<>(replicas, RacingWritesTest::isRight)
                .race(WRITES, key -> writes.write(key, Draft.ofValue(new byte[] {7}), AskedQuorums.said(QUORUM)));

        assertThat(replicas.asked())
                .as("calls, those of renewed writes among them")
                .isGreaterThan(4L * WRITES);
        assertThat(inFlight.writes()).as("seed " + replicas.seed).isZero();
    }

    private static boolean isRight(WriteOutcome outcome) {
        return switch (outcome) {
            case WriteOutcome.Written written -> written.acks() == 2;
            case WriteOutcome.Unavailable unavailable ->
                unavailable.shortfall().failures().size() == 3;
            case WriteOutcome.TimedOut late -> late.shortfall().acks() < 2;
            case WriteOutcome.Rejected rejected -> false;
            case WriteOutcome.Unstamped unstamped -> false;
        };
    }
}
