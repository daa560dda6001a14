package dev.kvorum.node.http.client;

import dev.kvorum.node.config.HttpSettings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;

/** Lets operations of clients in through the {@link Gate} of the event loop that serves them. On event loops only. */
public final class Admission {
    private final Map<EventLoop, Gate> gates = new ConcurrentHashMap<>();
    private final HttpSettings limits;

    public Admission(HttpSettings limits, MeterRegistry meters) {
        this.limits = limits;
        watch(meters, "kvorum.client.in.flight", "Operations under way", Gate::inFlight);
        watch(meters, "kvorum.client.waiting", "Operations that wait for their turn", Gate::waiting);
    }

    private void watch(MeterRegistry meters, String name, String description, ToIntFunction<Gate> number) {
        Gauge.builder(name, gates, all -> all.values().stream().mapToInt(number).sum())
                .description(description)
                .register(meters);
    }

    /** Whether operations wait for their turn. Any thread; may be late. */
    public boolean isWaiting() {
        return gates.values().stream().anyMatch(gate -> gate.waiting() > 0);
    }

    /** As {@link Gate#admit}, at the gate of the loop that serves the request and runs this. */
    <T> Mono<T> admit(ServerHttpRequest request, Supplier<Mono<T>> operation) {
        Connection connection = ServerHttpRequestDecorator.getNativeRequest(request);
        return gates.computeIfAbsent(connection.channel().eventLoop(), this::gate)
                .admit(operation);
    }

    private Gate gate(EventLoop loop) {
        return new Gate(
                Schedulers.fromExecutorService(loop),
                System::nanoTime,
                limits.inFlightPerLoop(),
                limits.overloadWait());
    }
}
