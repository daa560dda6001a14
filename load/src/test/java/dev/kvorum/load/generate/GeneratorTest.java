package dev.kvorum.load.generate;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GeneratorTest {
    private static final int CONNECTIONS = 4;

    private final AtomicInteger requests = new AtomicInteger();
    private final Set<InetSocketAddress> clients = ConcurrentHashMap.newKeySet();
    private ExecutorService threads;
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        threads = Executors.newVirtualThreadPerTaskExecutor();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            clients.add(exchange.getRemoteAddress());
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(201, -1);
        });
        server.start();
    }

    @AfterEach
    void end() {
        server.stop(0);
        threads.close();
    }

    private Stretch stretch(String name, Pace pace) {
        return new Stretch(
                name,
                List.of(URI.create("http://127.0.0.1:" + server.getAddress().getPort())),
                Traffic.fill(100, 1, ValueSizes.of(10)),
                pace,
                CONNECTIONS,
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                0);
    }

    @Test
    void stretchesInTurnUseTheSameConnectionsAndHaveTheirOwnRequests() throws InterruptedException {
        List<StretchResult> results = new Generator()
                .runInTurn(
                        List.of(
                                stretch("few", new Pace.Open(50, CONNECTIONS)),
                                stretch("many", new Pace.Open(200, CONNECTIONS))),
                        slice -> {});

        StretchResult few = results.get(0);
        StretchResult many = results.get(1);
        assertThat(few.begun()).isPositive();
        assertThat(many.begun()).isGreaterThan(few.begun());
        assertThat(few.total().ended()).isEqualTo(few.begun());
        assertThat(many.total().ended()).isEqualTo(many.begun());
        assertThat(few.begun() + many.begun()).isEqualTo(requests.get());
        assertThat(clients).hasSizeLessThanOrEqualTo(CONNECTIONS);
        assertThat(many.slices().getFirst().startMillis())
                .isGreaterThan(few.slices().getFirst().startMillis());
    }
}
