package dev.kvorum.load.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultQueueTest {
    private final FaultQueue queue = new FaultQueue();
    private final List<FaultKind> begun = new ArrayList<>();

    private static PlannedFault fault(int atSeconds, FaultKind kind) {
        return new PlannedFault(Duration.ofSeconds(atSeconds), kind, Duration.ofSeconds(1), 0);
    }

    private void offer(int max) {
        int before = begun.size();
        queue.offer(fault -> begun.size() < before + max && begun.add(fault.kind()));
    }

    @Test
    void faultThatMayNotBeginWaitsUntilItMay() {
        queue.add(fault(1, FaultKind.ROLLED_BACK));

        offer(0);
        assertThat(begun).isEmpty();
        offer(1);

        assertThat(begun).containsExactly(FaultKind.ROLLED_BACK);
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void faultThatMayNotBeginHoldsUpNoOther() {
        queue.add(fault(1, FaultKind.ROLLED_BACK));
        queue.add(fault(2, FaultKind.KILL));

        queue.offer(fault -> fault.kind() == FaultKind.KILL);

        assertThat(queue.rest()).extracting(PlannedFault::kind).containsExactly(FaultKind.ROLLED_BACK);
    }

    @Test
    void kindThatCameLeastOftenForItsShareGoesFirst() {
        for (int i = 1; i <= 4; i++) {
            queue.add(fault(i, FaultKind.FREEZE));
        }
        queue.add(fault(5, FaultKind.CLOCK_STEP));
        queue.add(fault(6, FaultKind.CLOCK_STEP));

        for (int i = 0; i < 6; i++) {
            offer(1);
        }

        // Of a share of 4, and of 2.
        assertThat(begun)
                .containsExactly(
                        FaultKind.FREEZE,
                        FaultKind.CLOCK_STEP,
                        FaultKind.FREEZE,
                        FaultKind.FREEZE,
                        FaultKind.CLOCK_STEP,
                        FaultKind.FREEZE);
    }

    @Test
    void faultIsGivenUpAfterItsTime() {
        queue.add(fault(1, FaultKind.KILL));
        queue.add(fault(2, FaultKind.FREEZE));

        List<PlannedFault> expired =
                queue.expired(Duration.ofSeconds(1).plus(FaultQueue.WAIT_MAX).plusMillis(1));

        assertThat(expired).extracting(PlannedFault::kind).containsExactly(FaultKind.KILL);
        assertThat(queue.rest()).extracting(PlannedFault::kind).containsExactly(FaultKind.FREEZE);
        assertThat(queue.isEmpty()).isTrue();
    }
}
