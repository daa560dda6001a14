package dev.kvorum.load.generate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * Counts every request and its latency. The event loop writes, one other thread takes a slice of it each second.
 *
 * <p>Latency counts from when the request was due, in microseconds. The generator begins requests in ticks of a millisecond, so one that
 * it begins within two of them counts from its beginning: the tick is the arrival. Any later begin is the generator's or the store's
 * stall, and belongs to the latency. That of a refusal counts from its beginning: whoever was not let in has nothing to wait for.
 */
final class Ledger {
    private static final long TICK_NANOS_MAX = 2_000_000;
    private static final long LATE_NANOS = 10_000_000;
    private static final int STATUS_MAX = 600;

    private final boolean absentAllowed;
    private final long timeoutNanos;
    private final Map<Operation, LatencySeries> latencies = new EnumMap<>(Operation.class);
    private final ValueSizes values;
    private final Map<Integer, LatencySeries> bySize = new TreeMap<>(); // Empty unless sizes are mixed.
    private final LatencySeries refusals = new LatencySeries();
    private final LatencySeries lags = new LatencySeries();
    private final Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);
    private final LongAdder[] statuses = new LongAdder[STATUS_MAX];
    private final LongAdder begun = new LongAdder();
    private final LongAdder late = new LongAdder();

    Ledger(boolean absentAllowed, Duration timeout, ValueSizes values) {
        this.absentAllowed = absentAllowed;
        this.timeoutNanos = timeout.toNanos();
        this.values = values;
        if (values.areMixed()) {
            values.weights().forEach(weight -> bySize.put(weight.bytes(), new LatencySeries()));
        }
        for (Operation operation : Operation.values()) {
            latencies.put(operation, new LatencySeries());
        }
        for (Outcome outcome : Outcome.values()) {
            outcomes.put(outcome, new LongAdder());
        }
        for (int i = 0; i < STATUS_MAX; i++) {
            statuses[i] = new LongAdder();
        }
    }

    void begun(long lagNanos) {
        begun.increment();
        lags.record(micros(lagNanos));
        if (lagNanos > LATE_NANOS) {
            late.increment();
        }
    }

    void ended(Pending request, long nowNanos) {
        boolean onTime = request.beginNanos - request.dueNanos <= TICK_NANOS_MAX;
        long latencyMicros = micros(nowNanos - (onTime ? request.beginNanos : request.dueNanos));
        Outcome outcome = outcome(request, nowNanos);
        switch (outcome) {
            case DONE -> done(request, latencyMicros);
            case REFUSED -> refusals.record(micros(nowNanos - request.beginNanos));
            case FAILED, LOST, TIMED_OUT -> {
                // Counted below: the latency of a failure says nothing about the store.
            }
        }
        adder(outcome).increment();
        statuses[Math.clamp(request.status, 0, STATUS_MAX - 1)].increment();
    }

    private void done(Pending request, long latencyMicros) {
        series(request.operation).record(latencyMicros);
        if (!bySize.isEmpty()) {
            Objects.requireNonNull(bySize.get(values.bytes(request.key))).record(latencyMicros);
        }
    }

    private Outcome outcome(Pending request, long nowNanos) {
        if (request.status == 0) {
            return nowNanos - request.beginNanos >= timeoutNanos ? Outcome.TIMED_OUT : Outcome.LOST;
        }
        return Outcome.of(request.operation, request.status, absentAllowed);
    }

    private LatencySeries series(Operation operation) {
        return Objects.requireNonNull(latencies.get(operation));
    }

    private LongAdder adder(Outcome outcome) {
        return Objects.requireNonNull(outcomes.get(outcome));
    }

    private static long micros(long nanos) {
        return Math.clamp((nanos + 500) / 1000, 1, LatencySeries.MICROS_MAX);
    }

    /** Requests begun so far, and never forgotten. */
    long begunCount() {
        return begun.sum();
    }

    long lateCount() {
        return late.sum();
    }

    /** What was booked since the last slice was taken. */
    Slice slice() {
        Map<Operation, Histogram> done = new EnumMap<>(Operation.class);
        latencies.forEach((operation, series) -> {
            Histogram interval = series.take();
            if (interval.getTotalCount() > 0) {
                done.put(operation, interval);
            }
        });
        Map<Integer, Histogram> sizes = new TreeMap<>();
        bySize.forEach((bytes, series) -> sizes.put(bytes, series.take()));
        Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
        outcomes.forEach((outcome, count) -> counts.put(outcome, count.sumThenReset()));
        Map<Integer, Long> byStatus = new TreeMap<>();
        List<LongAdder> adders = new ArrayList<>(List.of(statuses));
        for (int status = 0; status < STATUS_MAX; status++) {
            long count = adders.get(status).sumThenReset();
            if (count > 0) {
                byStatus.put(status, count);
            }
        }
        return new Slice(done, sizes, refusals.take(), lags.take(), counts, byStatus);
    }
}
