package dev.kvorum.node.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/**
 * What bounds long answers of one port.
 *
 * @param bodies memory for those that are not taken yet
 * @param takeNanosMax how long a client may take for one
 * @param untaken counts those that took longer, and had their connection closed
 */
public record AnswerLimits(ByteBudget bodies, long takeNanosMax, Counter untaken) {
    /** @param port clients or peers */
    public static AnswerLimits of(String port, ByteBudget bodies, Duration takeMax, MeterRegistry meters) {
        Counter untaken = Counter.builder("kvorum.http.answers.untaken")
                .description("Long answers that were not taken in time: their connections are closed.")
                .tag("port", port)
                .register(meters);
        return new AnswerLimits(bodies, takeMax.toNanos(), untaken);
    }
}
