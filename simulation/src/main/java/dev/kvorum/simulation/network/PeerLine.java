package dev.kvorum.simulation.network;

import dev.kvorum.node.frame.CallFailedException.Reason;
import dev.kvorum.node.frame.FrameService.Reply;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.ProcessLife;
import dev.kvorum.simulation.world.Timeline;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpResponse;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * One process's connector to its peers: what the connector of frames is to a real node. A call is answered, or fails within the time-out: by
 * it, because nobody listens there, or because the peer's process ended. A cancelled call is not sent if it has not been, else the peer hears of
 * it.
 */
public final class PeerLine implements ClientHttpConnector {
    /** Calls of one turn of an event loop share a flush: so long, in nanoseconds, one may wait for it. */
    private static final long FLUSH_MAX = 50_000;

    /** So long where the loop is busy, or the connection is being made. */
    private static final long BUSY_MAX = 10_000_000;

    private static final double BUSY = 0.02;

    private final String self;
    private final ProcessLife life;
    private final Timeline timeline;
    private final Network network;
    private final Duration timeout;
    private final Chance chance;
    private final Map<Long, OpenCall> open = new LinkedHashMap<>();
    private Map<String, String> meant = Map.of();
    private long made;

    public PeerLine(
            String self, ProcessLife life, Timeline timeline, Network network, Duration timeout, Chance chance) {
        this.self = self;
        this.life = life;
        this.timeline = timeline;
        this.network = network;
        this.timeout = timeout;
        this.chance = chance;
    }

    @Override
    public Mono<ClientHttpResponse> connect(
            HttpMethod method, URI uri, Function<? super ClientHttpRequest, Mono<Void>> requestCallback) {
        LineRequest request = new LineRequest(method, uri);
        return requestCallback
                .apply(request)
                .then(Mono.create(sink -> call(uri.getHost(), uri.getPath(), request.body(), sink)));
    }

    /** @param members the id of each, by the host of its address */
    void become(Map<String, String> members) {
        meant = Map.copyOf(members);
    }

    private void call(String target, String path, byte[] body, MonoSink<ClientHttpResponse> caller) {
        made++;
        OpenCall call = new OpenCall(callId(), target, timeline.now(), caller);
        if (network.link(self, target).isFull()) {
            call.fail(Reason.OVERLOADED, "too many calls are in flight to it");
            return;
        }
        open.put(call.id, call);
        var _ = caller.onCancel(() -> cancel(call));
        call.timesOutBy(life.after(timeout.toNanos(), () -> timeOut(call)));
        var _ = life.after(chance.from(0, chance.is(BUSY) ? BUSY_MAX : FLUSH_MAX), () -> send(call, path, body));
    }

    /** Apart from those of other nodes and of other lives of this one. */
    private long callId() {
        return (self.hashCode() * 31L + life.number()) << 32 | made;
    }

    private void send(OpenCall call, String path, byte[] body) {
        if (call.isOver()) {
            return;
        }
        call.sent();
        Supplier<String> words = () -> made(call) + " " + path + " of " + body.length + " bytes";
        network.send(
                self, call.target, new Message("call", call.id, words, call::isOver, () -> arrive(call, path, body)));
    }

    private static String made(OpenCall call) {
        return Integer.toString((int) call.id);
    }

    /** At the other end. */
    private void arrive(OpenCall call, String path, byte[] body) {
        Station station = network.behind(call.target);
        if (station == null || !station.isUp()) {
            return;
        }
        PeerDoor door = station.door();
        if (door == null) {
            sendBack(call, "refusal", "", () -> fail(call, Reason.UNREACHABLE, "connection refused"));
            return;
        }
        String mistake = door.mistake(meant.getOrDefault(call.target, ""));
        if (mistake != null) { // As greetings tell, on either side.
            sendBack(call, "refusal", mistake, () -> fail(call, Reason.UNREACHABLE, mistake));
        } else {
            door.receive(call.id, PeerOperation.codeOf(path), body, reply -> answer(call, reply));
        }
    }

    private void answer(OpenCall call, Reply reply) {
        String words = reply.status().value() + " of " + reply.body().length + " bytes";
        sendBack(call, "reply", words, () -> {
            open.remove(call.id);
            call.reply(reply);
        });
    }

    private void sendBack(OpenCall call, String what, String words, Runnable arrival) {
        network.send(
                call.target, self, Message.of(what, call.id, () -> made(call) + " " + words, () -> life.run(arrival)));
    }

    private void fail(OpenCall call, Reason reason, String detail) {
        open.remove(call.id);
        call.fail(reason, detail);
    }

    private void timeOut(OpenCall call) {
        tellCancelled(call);
        fail(call, Reason.TIMED_OUT, "no answer within " + timeout.toMillis() + " ms");
    }

    private void cancel(OpenCall call) {
        if (call.end()) {
            open.remove(call.id);
            tellCancelled(call);
        }
    }

    private void tellCancelled(OpenCall call) {
        if (call.isSent()) {
            network.send(self, call.target, Message.of("cancel", call.id, () -> made(call), () -> {
                Station station = network.behind(call.target);
                PeerDoor door = station == null ? null : station.door();
                if (door != null) {
                    door.cancel(call.id);
                }
            }));
        }
    }

    /** The process ended: whoever waits for it hears of it, unless the machine went with it. */
    public void hangUp(List<String> peers) {
        long endedAt = timeline.now();
        for (String peer : peers) {
            network.send(self, peer, Message.of("hang-up", life.number(), () -> "", () -> {
                Station station = network.at(peer);
                PeerLine line = station == null ? null : station.line();
                if (line != null) {
                    line.hungUp(self, endedAt);
                }
            }));
        }
    }

    private void hungUp(String peer, long endedAt) {
        life.run(() -> List.copyOf(open.values()).stream()
                .filter(call -> call.target.equals(peer) && call.madeAt <= endedAt)
                .forEach(call -> fail(call, Reason.UNREACHABLE, "the connection was closed")));
    }
}
