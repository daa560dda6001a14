package dev.kvorum.load.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.kvorum.load.generate.PatientClients.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class PatientClientsTest {
    private final List<HttpServer> servers = new ArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private static void answer(HttpExchange exchange, int status) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(status, -1);
    }

    @AfterEach
    void end() {
        servers.forEach(server -> server.stop(0));
        threads.close();
    }

    /** Requests for a server that answers like that. */
    private Stretch stretch(HttpHandler handler) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", handler);
        server.start();
        servers.add(server);
        return new Stretch(
                "patient",
                List.of(URI.create("http://127.0.0.1:" + server.getAddress().getPort())),
                Traffic.fill(100, 1, ValueSizes.of(10)),
                new Pace.Closed(1),
                1,
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                0);
    }

    @Test
    void oneThatIsRefusedWaitsAsItIsToldWhileAnotherIsServed() throws IOException, InterruptedException {
        AtomicInteger refused = new AtomicInteger();
        CountDownLatch served = new CountDownLatch(3);
        Stretch refusing = stretch(exchange -> {
            refused.incrementAndGet();
            exchange.getResponseHeaders().set("Retry-After", "3600");
            answer(exchange, 503);
        });
        Stretch serving = stretch(exchange -> {
            answer(exchange, 201);
            served.countDown();
        });

        try (PatientClients clients = PatientClients.start(List.of(refusing, serving))) {
            served.await();
            List<Reply> replies = clients.stop(); // Though one of them has an hour to wait.

            assertThat(refused).hasValue(1);
            assertThat(replies)
                    .filteredOn(reply -> reply.outcome() == Outcome.REFUSED)
                    .hasSize(1);
            assertThat(replies)
                    .filteredOn(reply -> reply.outcome() == Outcome.DONE)
                    .hasSizeGreaterThanOrEqualTo(3);
            assertThat(replies).allMatch(reply -> reply.micros() > 0);
        }
    }

    @Test
    void oneThatGetsNoUsefulAnswerGoesOn() throws IOException, InterruptedException {
        CountDownLatch asked = new CountDownLatch(3);
        Stretch broken = stretch(exchange -> {
            boolean first = asked.getCount() == 3;
            asked.countDown();
            if (first) {
                exchange.close(); // Without an answer.
            } else {
                answer(exchange, 500);
            }
        });

        try (PatientClients clients = PatientClients.start(List.of(broken))) {
            asked.await();

            assertThat(clients.stop()).extracting(Reply::outcome).startsWith(Outcome.LOST, Outcome.FAILED);
        }
    }

    @Test
    void refusalThatDoesNotSayForHowLongIsToldOf() throws IOException {
        Stretch silent = stretch(exchange -> answer(exchange, 503));

        assertThat(failureOf(silent)).hasMessageContaining("has no Retry-After");
    }

    /** Asks once: it is told to stop, but not before it has an answer. */
    private static Throwable failureOf(Stretch stretch) {
        try (PatientClients clients = PatientClients.start(List.of(stretch))) {
            return catchThrowableOfType(GeneratorFailed.class, clients::stop);
        }
    }
}
