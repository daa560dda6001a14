package dev.kvorum.node.frame;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kvorum.node.http.ByteBudget;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.client.reactive.ClientHttpResponse;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.netty.tcp.TcpClient;

/** Both ends of a connection, without a network between them: what one sends reaches the other when the test says so. */
final class FramePair {
    static final int TICK_MILLIS = 10;
    static final int NEVER_LATE = 60_000;

    final EmbeddedChannel caller = new EmbeddedChannel();
    final EmbeddedChannel server = new EmbeddedChannel();
    final ByteBudget allowance = new ByteBudget(8 << 20);
    final ByteBudget callerMemory = new ByteBudget(8 << 20);
    final ManualService service = new ManualService();
    final PeerLink link;
    final CallingConnection calling;
    final PeerDoor door;
    final ServingConnection serving;
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final String cluster;

    private FramePair(String callerCluster, @Nullable String serverCluster, int callsMax) {
        FrameLimits limits = limits(callsMax, callerMemory);
        FrameMetrics metrics = new FrameMetrics(meters);
        caller.freezeTime();
        server.freezeTime();
        this.cluster = callerCluster;
        this.link = new PeerLink(
                new PeerDialers(TcpClient.create(), List.of(), TcpClient.create(), Runnable::run),
                caller.eventLoop(),
                new Greeting(PeerIdentity.ofNoMember(callerCluster), ""),
                limits,
                metrics,
                new Random(1)); // Never opened.
        this.calling = new CallingConnection(link, caller, limits, metrics);
        caller.pipeline().addLast(new FrameDecoder(calling), calling);
        this.door = new PeerDoor(service, self(serverCluster), limits(callsMax, allowance), metrics);
        this.serving = new ServingConnection(server, door);
        server.pipeline().addLast(new FrameDecoder(serving), serving);
    }

    /** The member at the server's end. */
    static PeerIdentity self(@Nullable String cluster) {
        return new PeerIdentity(cluster, "n1", new UUID(1, 2), 3);
    }

    static FrameLimits limits(int callsMax, Allowance memory) {
        return new FrameLimits(1 << 20, callsMax, 2 << 20, Duration.ofSeconds(2), Duration.ofSeconds(3), memory);
    }

    /** Two ends that have not greeted yet. */
    static FramePair of(String callerCluster, @Nullable String serverCluster) {
        return new FramePair(callerCluster, serverCluster, 64);
    }

    /** Two ends that are good for so many calls. */
    static FramePair greeted(int callsMax) {
        FramePair pair = new FramePair("", null, callsMax);
        pair.greet();
        return pair;
    }

    static FramePair greeted() {
        return greeted(64);
    }

    void greet() {
        calling.greet(new Greeting(PeerIdentity.ofNoMember(cluster), ""));
        settle();
    }

    CompletableFuture<ClientHttpResponse> call(int operation, byte[] body, int waitMillis) {
        return callOver(link, operation, body, waitMillis);
    }

    /** Makes a call; cancelling the answer cancels it. */
    static CompletableFuture<ClientHttpResponse> callOver(PeerLink link, int operation, byte[] body, int waitMillis) {
        long now = System.nanoTime(); // Stands still for the call: what is left of its wait is the whole of it.
        return callOver(link, operation, body, waitMillis, () -> now);
    }

    static CompletableFuture<ClientHttpResponse> callOver(
            PeerLink link, int operation, byte[] body, int waitMillis, LongSupplier clock) {
        CompletableFuture<ClientHttpResponse> answer = new CompletableFuture<>();
        Disposable call = Mono.<ClientHttpResponse>create(sink ->
                        link.call(new Call(operation, TimeUnit.MILLISECONDS.toNanos(waitMillis), body, clock, sink)))
                .subscribe(answer::complete, answer::completeExceptionally);
        var _ = answer.whenComplete((response, e) -> {
            if (answer.isCancelled()) {
                call.dispose();
            }
        });
        return answer;
    }

    /** Why a call failed; waits until it has. */
    static CallFailedException failureOf(CompletableFuture<ClientHttpResponse> answer) {
        Throwable failure = catchThrowableOfType(CompletionException.class, answer::join);
        return (CallFailedException) Objects.requireNonNull(failure.getCause());
    }

    /** The body of the reply, which has come. */
    static byte[] bodyOf(CompletableFuture<ClientHttpResponse> answer) {
        DataBuffer body = DataBufferUtils.join(answer.join().getBody()).block();
        byte[] bytes = new byte[body == null ? 0 : body.readableByteCount()];
        if (body != null) {
            body.read(bytes);
        }
        return bytes;
    }

    CompletableFuture<ClientHttpResponse> call(String body) {
        return call(1, body.getBytes(StandardCharsets.UTF_8), NEVER_LATE);
    }

    /** Lets both ends talk until neither has anything to say. */
    void settle() {
        boolean moved = true;
        while (moved) {
            caller.runPendingTasks();
            server.runPendingTasks();
            boolean toServer = pump(caller, server);
            boolean toCaller = pump(server, caller);
            moved = toServer || toCaller;
        }
        if (!server.isOpen()) {
            var _ = caller.close();
        }
        if (!caller.isOpen()) {
            var _ = server.close();
        }
    }

    private static boolean pump(EmbeddedChannel from, EmbeddedChannel to) {
        boolean moved = false;
        for (ByteBuf bytes = from.readOutbound(); bytes != null; bytes = from.readOutbound()) {
            moved = true;
            if (to.isOpen()) {
                to.writeInbound(bytes);
            } else {
                bytes.release();
            }
        }
        return moved;
    }

    /** Lets so much time pass at one end. */
    static void pass(EmbeddedChannel end, long millis) {
        for (long passed = 0; passed < millis; passed += TICK_MILLIS) {
            end.advanceTimeBy(TICK_MILLIS, TimeUnit.MILLISECONDS);
            end.runScheduledPendingTasks();
        }
    }

    /** Lets so much time pass at one end in which its loop is busy with other things: what is due comes once, at its end. */
    static void stall(EmbeddedChannel end, long millis) {
        end.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        end.runScheduledPendingTasks();
    }

    /** Lets the next tick of both ends come, and what follows from it. */
    void tick() {
        pass(caller, TICK_MILLIS);
        pass(server, TICK_MILLIS);
        settle();
    }

    /** Sends bytes to the server that its caller did not make. */
    void toServer(byte[] bytes) {
        server.writeInbound(server.alloc().buffer().writeBytes(bytes));
        server.runPendingTasks();
    }

    /** Sends bytes to the caller that its server did not make. */
    void toCaller(byte[] bytes) {
        caller.writeInbound(caller.alloc().buffer().writeBytes(bytes));
        caller.runPendingTasks();
    }

    /** What an end has sent and the other has not seen: taken away. */
    static List<RawFrames.Seen> sentBy(EmbeddedChannel end) {
        end.runPendingTasks();
        ByteBuf all = end.alloc().buffer();
        for (ByteBuf bytes = end.readOutbound(); bytes != null; bytes = end.readOutbound()) {
            all.writeBytes(bytes);
            bytes.release();
        }
        byte[] bytes = new byte[all.readableBytes()];
        all.readBytes(bytes);
        all.release();
        return RawFrames.seen(bytes);
    }

    /** The peer takes bytes, or takes none. */
    static void setTaking(EmbeddedChannel end, boolean taking) {
        end.unsafe().outboundBuffer().setUserDefinedWritability(1, taking);
        end.runPendingTasks();
    }

    double count(String meter) {
        return meters.get(meter).functionCounter().count();
    }

    double cancelled(String fate) {
        return meters.get("kvorum.frames.cancelled")
                .tag("fate", fate)
                .functionCounter()
                .count();
    }
}
