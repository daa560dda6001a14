package dev.kvorum.node.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.config.ReadSettings;
import dev.kvorum.node.config.ReadSettings.Repair;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.repair.ReadRepair;
import dev.kvorum.node.repair.ReadRepairMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Replies by two threads, deadlines by a third, clients that go away and newer epochs, all at the same time: every read has one outcome, and a right one. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("check")
class RacingReadsTest {
    private static final int READS = 20_000;
    private static final Quorum QUORUM = new Quorum(2, 4);

    private final RacingReplicas replicas = new RacingReplicas();
    private final ManualRoom room = new ManualRoom();
    private final MeterRegistry meters = new SimpleMeterRegistry();

    private ReadCoordinator reads(FanOut fanOut, Repair repair) {
        ReadSettings settings = Settings.of(ReadSettings.class)
                .with("hedgeDelayMax", Duration.ofMillis(2))
                .with("hedgeBudget", 100)
                .with("readRepair", repair)
                .with("repairBudget", 100)
                .get();
        Mending mending = new Mending(settings, new ReadRepair(new ReadRepairMetrics(meters)));
        HybridClock clock = new HybridClock(() -> 1, 42, Duration.ofSeconds(10), 0);
        ReadPolicy policy = new ReadPolicy(Duration.ofMillis(20), fanOut, new Hedging(settings), mending, room);
        return new ReadCoordinator(
                replicas.plans(), clock, () -> 1, replicas.deadlines, policy, new ReadMetrics(meters, fanOut));
    }

    @ParameterizedTest
    @CsvSource({"true,OFF", "true,BACKGROUND", "true,BLOCKING", "false,OFF", "false,BACKGROUND", "false,BLOCKING"})
    void everyReadHasExactlyOneOutcome(boolean all, Repair repair) throws InterruptedException {
        ReadCoordinator reads = reads(all ? FanOut.ALL : FanOut.HEDGED, repair);
        boolean mendsFirst = repair == Repair.BLOCKING;

        new RacingClients<ReadOutcome>(replicas, outcome -> isRight(outcome, mendsFirst))
                .race(READS, key -> reads.read(key, AskedQuorums.said(QUORUM)));

        assertThat(replicas.calls()).as("calls left, seed " + replicas.seed).isZero();
        assertThat(room.taken).as("bytes held, seed " + replicas.seed).hasValue(0);
        assertThat(counted("sent"))
                .as("each hedge has won or was wasted")
                .isEqualTo(counted("won") + counted("wasted"));
    }

    private double counted(String what) {
        return meters.get("kvorum.read.hedges." + what).counter().count();
    }

    private static boolean isRight(ReadOutcome outcome, boolean mendsFirst) {
        return switch (outcome) {
            case ReadOutcome.Found found -> found.acks() == 2;
            case ReadOutcome.Absent absent -> false;
            case ReadOutcome.Unavailable unavailable ->
                unavailable.shortfall().failures().size() == 3
                        || (mendsFirst && unavailable.shortfall().acks() < 2);
            case ReadOutcome.TimedOut late -> late.shortfall().acks() < 2;
            case ReadOutcome.Rejected rejected -> false;
        };
    }
}
