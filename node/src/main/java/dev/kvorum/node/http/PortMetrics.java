package dev.kvorum.node.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Counts the connections of one port that the node has refused or closed, by reason. Any thread. */
public final class PortMetrics {
    /** Why a connection was refused. */
    public enum Overfull {
        /** The port has as many connections as it may have. */
        FULL,
        /** The port is nearly full, and the address has its share. */
        SHARE
    }

    /** Why a connection was closed. */
    public enum Closure {
        /** Another connection needed its place. */
        ROOM,
        /** The head of a request took too long. */
        HEAD,
        /** The body of a request took too long, or was too long. */
        BODY,
        /** Its first bytes did not come in time. */
        SILENCE,
        /** Its first bytes are not those of a frame. */
        NO_FRAME
    }

    private final Map<Overfull, Counter> refused;
    private final Map<Closure, Counter> closed;

    /** @param port clients, peers or management */
    public PortMetrics(String port, MeterRegistry meters) {
        this.refused = byReason(
                Overfull.class,
                Counter.builder("kvorum.connections.refused")
                        .description("New connections that were refused, as the port had too many")
                        .tag("port", port)
                        .withRegistry(meters));
        this.closed = byReason(
                Closure.class,
                Counter.builder("kvorum.connections.closed")
                        .description(
                                "Connections that were closed, as the other side was slow or another needed the place")
                        .tag("port", port)
                        .withRegistry(meters));
    }

    private static <R extends Enum<R>> Map<R, Counter> byReason(Class<R> reasons, MeterProvider<Counter> counters) {
        Map<R, Counter> byReason = new EnumMap<>(reasons);
        for (R reason : reasons.getEnumConstants()) {
            byReason.put(reason, counters.withTag("reason", reason.name().toLowerCase(Locale.ROOT)));
        }
        return byReason;
    }

    public void refused(Overfull reason) {
        Objects.requireNonNull(refused.get(reason)).increment();
    }

    public void closed(Closure reason) {
        Objects.requireNonNull(closed.get(reason)).increment();
    }
}
