package dev.kvorum.node.http.client;

import dev.kvorum.node.config.HttpSettings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpServerCodec;
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
    private static final String EARLY_REFUSAL = "kvorum.earlyRefusal";

    private final Map<EventLoop, Entrance> entrances = new ConcurrentHashMap<>();
    private final HttpSettings limits;
    private final ClientMetrics metrics;

    public Admission(HttpSettings limits, ClientMetrics metrics, MeterRegistry meters) {
        this.limits = limits;
        this.metrics = metrics;
        watch(meters, "kvorum.client.in.flight", "Operations under way", Entrance::inFlight);
        watch(meters, "kvorum.client.waiting", "Operations that wait for their turn", Entrance::waiting);
        watch(
                meters,
                "kvorum.client.resting",
                "Connections not read for a while, as an operation of theirs was refused",
                Entrance::resting);
    }

    private void watch(MeterRegistry meters, String name, String description, ToIntFunction<Entrance> number) {
        Gauge.builder(
                        name,
                        entrances,
                        all -> all.values().stream().mapToInt(number).sum())
                .description(description)
                .register(meters);
    }

    /** Whether operations wait for their turn. Any thread; may be late. */
    public boolean isWaiting() {
        return entrances.values().stream().anyMatch(at -> at.waiting() > 0);
    }

    /**
     * As {@link Gate#admit}, at the gate of the loop that serves the request and runs this. After a refusal the connection is {@linkplain
     * Resting left alone} for a while.
     */
    <T> Mono<T> admit(ServerHttpRequest request, Supplier<Mono<T>> operation) {
        Connection connection = ServerHttpRequestDecorator.getNativeRequest(request);
        Channel channel = connection.channel();
        return of(channel).admit(channel, operation);
    }

    /** Lets a new connection be refused early where that spares work. On its event loop, when it has its HTTP codec. */
    public void install(Channel channel) {
        String codec = channel.pipeline().context(HttpServerCodec.class).name();
        channel.pipeline().addAfter(codec, EARLY_REFUSAL, new EarlyRefusal(of(channel), limits.bodyTimeout()));
    }

    private Entrance of(Channel channel) {
        return entrances.computeIfAbsent(channel.eventLoop(), this::entrance);
    }

    private Entrance entrance(EventLoop loop) {
        Resting resting = new Resting();
        Gate gate = new Gate(
                Schedulers.fromExecutorService(loop),
                System::nanoTime,
                BusyTime.ofThisThread(),
                limits.inFlightPerLoop(),
                limits.burst(),
                new Entrance.Events(resting, metrics));
        return new Entrance(gate, resting, metrics);
    }
}
