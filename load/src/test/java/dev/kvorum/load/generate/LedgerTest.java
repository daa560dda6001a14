package dev.kvorum.load.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static final long MILLI = 1_000_000;

    private final Ledger ledger = new Ledger(false, Duration.ofSeconds(1), ValueSizes.of(100));

    private void request(Operation operation, long dueNanos, long beginNanos, long endNanos, int status) {
        Pending pending = new Pending();
        pending.begin(operation, 0, dueNanos, beginNanos);
        pending.status = status;
        ledger.begun(beginNanos - dueNanos);
        ledger.ended(pending, endNanos);
    }

    private static double maxMillis(Slice slice) {
        return slice.allDone().getMaxValue() / 1000.0;
    }

    @Test
    void requestBegunWithinATickCountsFromItsBeginning() {
        request(Operation.GET, 0, MILLI, 4 * MILLI, 200);

        assertThat(maxMillis(ledger.slice())).isBetween(2.99, 3.01);
        assertThat(ledger.lateCount()).isZero();
    }

    @Test
    void requestBegunLateCountsFromWhenItWasDue() {
        request(Operation.GET, 0, 500 * MILLI, 501 * MILLI, 200);

        assertThat(maxMillis(ledger.slice())).isBetween(500.0, 502.0);
        assertThat(ledger.lateCount()).isEqualTo(1);
    }

    @Test
    void everyRequestIsCountedOnceByItsOutcome() {
        request(Operation.GET, 0, 0, MILLI, 200);
        request(Operation.PUT, 0, 0, MILLI, 201);
        request(Operation.DELETE, 0, 0, MILLI, 202);
        request(Operation.GET, 0, 0, MILLI, 404);
        request(Operation.PUT, 0, 0, MILLI, 504);
        request(Operation.PUT, 0, 0, MILLI, 503);
        request(Operation.PUT, 0, 0, MILLI, 0);
        request(Operation.PUT, 0, 0, 1000 * MILLI, 0);

        Slice slice = ledger.slice();

        assertThat(slice.outcomes())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        Outcome.DONE,
                        3L,
                        Outcome.FAILED,
                        2L,
                        Outcome.REFUSED,
                        1L,
                        Outcome.LOST,
                        1L,
                        Outcome.TIMED_OUT,
                        1L));
        assertThat(slice.ended()).isEqualTo(8);
        assertThat(slice.errors()).isEqualTo(4);
        assertThat(slice.allDone().getTotalCount()).isEqualTo(slice.count(Outcome.DONE));
        assertThat(slice.refused().getTotalCount()).isEqualTo(1);
    }

    @Test
    void absentKeyIsFineWhereOthersDelete() {
        Ledger deleting = new Ledger(true, Duration.ofSeconds(1), ValueSizes.of(100));
        Pending pending = new Pending();
        pending.begin(Operation.GET, 0, 0, 0);
        pending.status = 404;

        deleting.ended(pending, MILLI);

        assertThat(deleting.slice().count(Outcome.DONE)).isEqualTo(1);
    }

    @Test
    void sliceForgetsWhatWasInTheOneBefore() {
        request(Operation.GET, 0, 0, MILLI, 200);
        Slice first = ledger.slice();
        request(Operation.GET, 0, 0, 2 * MILLI, 200);
        Slice second = ledger.slice();

        Slice total = Slice.empty();
        total.add(first);
        total.add(second);

        assertThat(second.ended()).isEqualTo(1);
        assertThat(total.ended()).isEqualTo(2);
        assertThat(total.allDone().getTotalCount()).isEqualTo(2);
        assertThat(ledger.begunCount()).isEqualTo(2);
    }

    @Test
    void latenciesOfSizesAreKeptApart() {
        Ledger mixed = new Ledger(
                false,
                Duration.ofSeconds(1),
                new ValueSizes(List.of(new ValueSizes.Weight(100, 2), new ValueSizes.Weight(65_536, 1))));
        for (int key = 0; key < 6; key++) {
            Pending pending = new Pending();
            pending.begin(Operation.GET, key, 0, 0);
            pending.status = 200;
            mixed.ended(pending, (key % 3 == 2 ? 50 : 1) * MILLI);
        }

        Slice slice = mixed.slice();

        assertThat(slice.sizes().keySet()).containsExactly(100, 65_536);
        assertThat(slice.sizes().get(100))
                .satisfies(small -> assertThat(small.getTotalCount()).isEqualTo(4))
                .satisfies(small -> assertThat(small.getMaxValue()).isLessThan(2000));
        assertThat(slice.sizes().get(65_536))
                .satisfies(large -> assertThat(large.getTotalCount()).isEqualTo(2))
                .satisfies(large -> assertThat(large.getMinValue()).isGreaterThan(40_000));
        assertThat(slice.allDone().getTotalCount()).isEqualTo(6);
    }
}
