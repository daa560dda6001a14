package dev.kvorum.node.admission;

import dev.kvorum.node.config.HttpSettings;
import dev.kvorum.node.http.AnswerGuard;
import dev.kvorum.node.http.ByteBudget;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpServerCodec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import reactor.core.scheduler.Schedulers;

/** Lets operations of clients in through the {@link Gate} of the event loop that serves them. On event loops only. */
public final class Admission {
    private static final String EARLY_REFUSAL = "kvorum.earlyRefusal";

    private final Map<EventLoop, Entrance> entrances = new ConcurrentHashMap<>();
    private final HttpSettings limits;
    private final ByteBudget bodies;
    private final String path;
    private final AdmissionMetrics metrics;

    /**
     * @param path of operations
     * @param refusals counts requests that were refused before their handlers saw them
     */
    public Admission(
            HttpSettings limits, ByteBudget bodies, String path, Consumer<HttpStatus> refusals, MeterRegistry meters) {
        this.limits = limits;
        this.bodies = bodies;
        this.path = path;
        this.metrics = new AdmissionMetrics(meters, refusals);
        watch(meters, "kvorum.client.in.flight", "Operations under way", Entrance::inFlight);
        watch(meters, "kvorum.client.in.flight.max", "Operations for which there is memory", Entrance::inFlightMax);
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

    /** Where the operations of a request's connection come in. On its event loop. */
    public Entrance entrance(ServerHttpRequest request) {
        return of(AnswerGuard.channelOf(request));
    }

    /** Lets a new connection be refused early where that spares work. On its event loop, when it has its HTTP codec. */
    public void install(Channel channel) {
        String codec = channel.pipeline().context(HttpServerCodec.class).name();
        channel.pipeline().addAfter(codec, EARLY_REFUSAL, new EarlyRefusal(of(channel), path, limits.bodyTimeout()));
    }

    private Entrance of(Channel channel) {
        return entrances.computeIfAbsent(channel.eventLoop(), this::entrance);
    }

    private Entrance entrance(EventLoop loop) {
        Resting resting = new Resting();
        MemoryLimit limit = new MemoryLimit(limits.inFlightPerLoop(), bodies, limits.loops());
        Gate gate = new Gate(
                Schedulers.fromExecutorService(loop),
                System::nanoTime,
                BusyTime.ofThisThread(),
                limit,
                limits.burst(),
                new Entrance.Events(resting, metrics));
        return new Entrance(gate, limit, resting, metrics);
    }
}
