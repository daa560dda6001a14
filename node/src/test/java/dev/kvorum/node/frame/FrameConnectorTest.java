package dev.kvorum.node.frame;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.http.ByteBudget;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** WebClient over frames, against a real port. */
@Timeout(60)
class FrameConnectorTest {
    private static final Duration HASTY = Duration.ofSeconds(1);
    private static final byte[] BODY = {1, 2, 3};

    private final FrameServer server = new FrameServer("demo");
    private final ByteBudget memory = new ByteBudget(64 << 20);
    private final FrameConnector connector = server.connector("demo", memory);
    private final WebClient client = WebClient.builder()
            .clientConnector(connector)
            .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(2 << 20))
            .build();

    @AfterEach
    void stop() {
        connector.close();
        server.close();
    }

    private Mono<byte[]> echo(byte[] body) {
        return echo(client, body);
    }

    private Mono<byte[]> echo(WebClient client, byte[] body) {
        return client.post()
                .uri(server.uri().resolve(FrameServer.ECHO))
                .bodyValue(body)
                .retrieve()
                .bodyToMono(byte[].class)
                .defaultIfEmpty(new byte[0]);
    }

    @Test
    void bodiesOfAnyLengthComeBackOfManyCallsAtATime() {
        List<byte[]> bodies = IntStream.range(0, 200)
                .mapToObj(i -> {
                    byte[] body = new byte[i % 20 == 0 ? 1 << 20 : i % 7 == 0 ? 0 : i];
                    ThreadLocalRandom.current().nextBytes(body);
                    return body;
                })
                .toList();

        List<byte[]> answers = Objects.requireNonNull(Flux.fromIterable(bodies)
                .flatMapSequential(this::echo, 8)
                .collectList()
                .block());

        assertThat(answers).hasSameSizeAs(bodies);
        for (int i = 0; i < bodies.size(); i++) {
            assertThat(answers.get(i)).isEqualTo(bodies.get(i));
        }
        eventually("all memory is given back", () -> memory.taken() + server.allowance.taken() == 0);
        assertThat(connector.inFlight()).isZero();
    }

    @Test
    void pathThatIsNoOperationIsAnError() {
        assertThatThrownBy(() -> client.post()
                        .uri(server.uri().resolve("/other"))
                        .retrieve()
                        .toBodilessEntity()
                        .block())
                .isInstanceOf(WebClientRequestException.class)
                .hasMessageContaining("/other");
    }

    @Test
    void peersAreConnectedToBeforeTheyAreCalled() {
        connector.become(Map.of(server.uri(), "n1"));

        eventually("both loops are connected", () -> connector.ready() == 2);
    }

    @Test
    void thoseThatArePeersNoMoreAreHungUpOn() {
        try (FrameServer other = new FrameServer("demo");
                FrameConnector hasty = server.connector("demo", memory, HASTY)) {
            hasty.become(Map.of(server.uri(), "n1", other.uri(), "n1"));
            eventually("both peers are connected", () -> hasty.ready() == 4);

            hasty.become(Map.of(other.uri(), "n1"));

            eventually("one is left", () -> hasty.ready() == 2);
        }
    }

    /** A write that was planned before a member left needs its reply when it has left. */
    @Test
    void whoIsAPeerNoMoreIsReachedByCallsThatWerePlannedBefore() {
        try (FrameServer other = new FrameServer("demo")) {
            connector.become(Map.of(other.uri(), "n1"));

            assertThat(echo(BODY).block()).isEqualTo(BODY);
        }
    }

    @Test
    void whoIsAPeerAgainIsNotHungUpOn() {
        try (FrameServer other = new FrameServer("demo");
                FrameServer third = new FrameServer("demo");
                FrameConnector hasty = server.connector("demo", memory, HASTY)) {
            hasty.become(Map.of(other.uri(), "n1", third.uri(), "n1"));
            eventually("all are connected, also whom it will hang up on", () -> hasty.ready() == 6);
            hasty.become(Map.of(server.uri(), "n1", other.uri(), "n1"));

            eventually("two are left", () -> hasty.ready() == 4);

            assertThat(echo(WebClient.builder().clientConnector(hasty).build(), BODY)
                            .block())
                    .isEqualTo(BODY);
        }
    }

    /** And no more: thousands may fail at once. */
    @Test
    void failedCallTellsItsReason() {
        URI nobody = server.uri();
        server.stop();

        assertThatThrownBy(() -> client.post()
                        .uri(nobody.resolve(FrameServer.ECHO))
                        .retrieve()
                        .toBodilessEntity()
                        .block())
                .isInstanceOfSatisfying(CallFailedException.class, failure -> {
                    assertThat(failure.reason()).isEqualTo(CallFailedException.Reason.UNREACHABLE);
                    assertThat(failure.getStackTrace()).isEmpty();
                });
        eventually("further ones are known to fail", () -> connector.refusal(nobody) != null);
    }

    @Test
    void itIsKnownOfWhomACallWouldFailAtOnce() {
        connector.become(Map.of(server.uri(), "n1"));

        assertThat(connector.refusal(server.uri())).isNull();
        assertThat(connector.refusal(URI.create("http://127.0.0.1:1")))
                .hasMessage("127.0.0.1:1 is no member's any more");
    }
}
