package dev.kvorum.node.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RepairRequestsTest {
    private final RepairRequests requests = new RepairRequests();
    private final List<RepairOutcome> outcomes = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();

    private void add(int partition, boolean here) {
        var _ = requests.add(partition, here).subscribe(outcomes::add, errors::add);
    }

    private RepairRequests.Request take() {
        return Objects.requireNonNull(requests.take());
    }

    @Test
    void partitionsAreTakenInTheirOrderAndEachOnce() {
        add(9, false);
        add(7, false);
        add(9, false);
        assertThat(requests.waiting()).isEqualTo(2);

        assertThat(take().partition()).isEqualTo(7);
        assertThat(take().partition()).isEqualTo(9);
        assertThat(requests.take()).isNull();
        assertThat(requests.waiting()).isZero();
    }

    @Test
    void thoseWhoAskForTheSameShareItsOutcome() {
        RepairOutcome outcome = new RepairOutcome.HandedOver(7, "n2");
        add(7, false);
        add(7, false);

        take().answer(outcome);

        assertThat(outcomes).containsExactly(outcome, outcome);
        assertThat(outcome.exchanged()).isEqualTo(Exchanged.NOTHING);
    }

    @Test
    void oneThatHasToBeDoneHereStaysSoWhoeverElseAsks() {
        add(7, true);
        add(7, false);
        assertThat(take().here()).isTrue();

        add(7, false);
        add(7, true);
        assertThat(take().here()).isTrue();

        add(7, false);
        assertThat(take().here()).isFalse();
    }

    @Test
    void failureIsToldToo() {
        add(7, false);

        take().fail(new IllegalStateException("planned"));

        assertThat(errors).singleElement().isInstanceOf(IllegalStateException.class);
        assertThat(outcomes).isEmpty();
    }
}
