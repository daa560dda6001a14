package dev.kvorum.node.http.client;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.springframework.http.HttpStatus;

/** Operations of clients by outcome. All meters are made at the start, so that counting one costs a look-up by ordinal. */
public final class ClientMetrics {
    /** What a client asked for. */
    enum Operation {
        READ,
        WRITE,
        DELETE
    }

    /** How it ended. */
    enum Outcome {
        SUCCESS,
        ABSENT,
        CONDITION_FAILED,
        UNAVAILABLE,
        TIMED_OUT,
        REJECTED
    }

    private final Timer[][] timers = new Timer[Operation.values().length][Outcome.values().length];
    private final Counter refused;
    private final Counter overloaded;
    private final Counter failed;
    private final Counter gone;

    public ClientMetrics(MeterRegistry meters) {
        for (Operation operation : Operation.values()) {
            for (Outcome outcome : Outcome.values()) {
                timers[operation.ordinal()][outcome.ordinal()] = timer(meters, operation, outcome);
            }
        }
        this.refused = Counter.builder("kvorum.client.refused")
                .description("Requests that could not be served as they were: 4xx other than 404")
                .register(meters);
        this.overloaded = Counter.builder("kvorum.client.overloaded")
                .description("Requests refused for lack of room or because their turn did not come in time: 503")
                .register(meters);
        this.gone = Counter.builder("kvorum.client.gone")
                .description("Requests whose client went away before they were answered")
                .register(meters);
        this.failed = Counter.builder("kvorum.client.failed")
                .description("Requests that ended in an error nobody expected: 500")
                .register(meters);
    }

    private static Timer timer(MeterRegistry meters, Operation operation, Outcome outcome) {
        return Timer.builder("kvorum.client.operations")
                .description("Operations of clients, from the arrival of the whole request to the outcome")
                .tag("operation", operation.name().toLowerCase(Locale.ROOT))
                .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                .register(meters);
    }

    /** Counts an operation whose outcome is the answer. */
    void ended(Operation operation, Outcome outcome, long nanos) {
        if (outcome == Outcome.REJECTED) {
            overloaded.increment();
        }
        timers[operation.ordinal()][outcome.ordinal()].record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Counts a request that was refused with that status. */
    public void refused(HttpStatus status) {
        (status == HttpStatus.SERVICE_UNAVAILABLE ? overloaded : refused).increment();
    }

    void gone() {
        gone.increment();
    }

    void failed() {
        failed.increment();
    }
}
