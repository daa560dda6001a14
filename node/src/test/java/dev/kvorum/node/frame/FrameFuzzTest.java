package dev.kvorum.node.frame;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.frame.HostileCaller.Attack;
import dev.kvorum.node.http.ByteBudget;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Callers that send anything, against a real port, while an honest one is being served: nothing is harmed but their connections. */
@Timeout(60)
class FrameFuzzTest {
    private static final int ATTACKS = 120;
    private static final int CALLS_AT_A_TIME = 16;

    private final LeakedBuffers leaked = new LeakedBuffers();
    private final ByteBudget memory = new ByteBudget(64 << 20);

    /** Calls on and on with bodies of all lengths, and compares. */
    private static final class Honest {
        private final WebClient client;
        private final FrameServer server;
        private final AtomicInteger answered = new AtomicInteger();
        private volatile boolean enough;

        Honest(FrameConnector connector, FrameServer server) {
            this.client = WebClient.builder().clientConnector(connector).build();
            this.server = server;
        }

        CompletableFuture<@Nullable Void> callOnAndOn() {
            return Flux.range(0, Integer.MAX_VALUE)
                    .takeUntil(i -> enough)
                    .flatMap(this::call, CALLS_AT_A_TIME)
                    .then()
                    .toFuture();
        }

        private Mono<Integer> call(int i) {
            byte[] body = RawFrames.filled(i % 50 == 0 ? 200_000 : i % 100 + 1, i);
            return client.post()
                    .uri(server.uri().resolve(FrameServer.ECHO))
                    .bodyValue(body)
                    .retrieve()
                    .bodyToMono(byte[].class)
                    .map(answer -> {
                        assertThat(answer).isEqualTo(body);
                        return answered.incrementAndGet();
                    });
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void hostileCallersHarmNothingButTheirConnections(long seed) throws IOException {
        Random random = new Random(seed);
        try (FrameServer server = new FrameServer("demo");
                FrameConnector connector = server.connector("demo", memory)) {
            Honest honest = new Honest(connector, server);
            CompletableFuture<@Nullable Void> calls = honest.callOnAndOn();
            HostileCaller hostile = new HostileCaller(server.port(), "demo", random);

            int malformed = 0;
            for (int i = 0; i < ATTACKS; i++) {
                Attack attack = Attack.values()[random.nextInt(Attack.values().length)];
                hostile.attack(attack);
                malformed += attack.isMalformed() ? 1 : 0;
            }
            int answeredDuring = honest.answered.get();

            eventually("calls go on after the attacks", () -> honest.answered.get() > answeredDuring + 100);
            honest.enough = true;
            calls.join();
            assertThat(answeredDuring).isPositive();
            assertThat(server.malformed()).isGreaterThanOrEqualTo(malformed);
            eventually("all memory is given back", () -> memory.taken() + server.allowance.taken() == 0);
        }
        assertThat(leaked.found()).isEmpty();
        leaked.close();
    }

    /** Connections that stay open and are silent, slow or greedy cost the others nothing. */
    @Test
    void hostileConnectionsThatStayHarmNobody() throws IOException {
        List<Socket> open = new ArrayList<>();
        try (FrameServer server = new FrameServer("demo");
                FrameConnector connector = server.connector("demo", memory)) {
            byte[] begun = RawFrames.joined(
                    RawFrames.hello(2, "demo"), RawFrames.call(1, RawFrames.MORE, 60_000, new byte[Frame.BODY_MAX]));
            for (int i = 0; i < 100; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                socket.getOutputStream().write(begun, 0, i % 3 == 0 ? begun.length : i % 3 == 1 ? 10 : 0);
                open.add(socket);
            }
            eventually("their bodies have begun", () -> server.allowance.taken() == 34L * Frame.BODY_MAX);

            Honest honest = new Honest(connector, server);
            CompletableFuture<@Nullable Void> calls = honest.callOnAndOn();
            eventually("calls are answered", () -> honest.answered.get() > 1000);
            honest.enough = true;
            calls.join();
            for (Socket socket : open) {
                socket.close();
            }

            eventually("all memory is given back", () -> memory.taken() + server.allowance.taken() == 0);
        }
        assertThat(leaked.found()).isEmpty();
        leaked.close();
    }
}
