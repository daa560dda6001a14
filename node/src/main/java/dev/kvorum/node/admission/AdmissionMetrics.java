package dev.kvorum.node.admission;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.springframework.http.HttpStatus;

/** Waits and refusals of operations. Any thread. */
final class AdmissionMetrics {
    private final Timer waited;
    private final Timer waitedInVain;
    private final Consumer<HttpStatus> refusals;

    /** @param refusals counts requests that were refused before their handlers saw them */
    AdmissionMetrics(MeterRegistry meters, Consumer<HttpStatus> refusals) {
        this.waited = wait(meters, "served");
        this.waitedInVain = wait(meters, "refused");
        this.refusals = refusals;
    }

    private static Timer wait(MeterRegistry meters, String end) {
        return Timer.builder("kvorum.client.waits")
                .description("Waits of operations for their turn, until they were served or refused")
                .tag("end", end)
                .register(meters);
    }

    /** Counts an operation that has waited for its turn. */
    void waited(long nanos) {
        waited.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Counts an operation that was refused because its turn did not come. */
    void waitedInVain(long nanos) {
        waitedInVain.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Counts a request that was refused with that status by its head alone. */
    void refused(HttpStatus status) {
        refusals.accept(status);
    }
}
