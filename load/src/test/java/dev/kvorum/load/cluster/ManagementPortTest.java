package dev.kvorum.load.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ManagementPortTest {
    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicInteger refusals = new AtomicInteger();
    private HttpServer server;
    private ManagementPort port;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/actuator/prometheus", exchange -> {
            byte[] body = told(exchange.getRequestURI().getQuery()).getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(refusals.getAndDecrement() > 0 ? 503 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        port = new ManagementPort("n4", http, server.getAddress().getPort());
    }

    /** As a node does: it knows a counter by its name without the end. */
    private static String told(@Nullable String query) {
        Map<String, String> lines = Map.of(
                "kvorum_transfer_left",
                "kvorum_transfer_left 0.0\n",
                "kvorum_transfer_bytes",
                "kvorum_transfer_bytes_total 7.0\n");
        return query == null
                ? String.join("", lines.values())
                : Arrays.stream(query.substring("includedNames=".length()).split(","))
                        .map(name -> lines.getOrDefault(name, ""))
                        .collect(Collectors.joining());
    }

    @AfterEach
    void stop() {
        server.stop(0);
        http.close();
    }

    @Test
    void metricIsTheOneOfThatNameAlsoIfItIsNought() throws Exception {
        assertThat(port.metric("kvorum_transfer_bytes_total")).isEqualTo(7);
        assertThat(port.metric("kvorum_transfer_left")).isZero();
    }

    @Test
    void onlyTheMetricsThatAreToBeToldAreAskedFor() throws Exception {
        assertThat(port.metrics(List.of("kvorum_transfer_left", "jvm_gc_pause_seconds")))
                .hasValueSatisfying(told -> assertThat(told).containsOnlyKeys("kvorum_transfer_left"));
    }

    @Test
    void nodeThatDoesNotAnswerAtFirstIsAskedAgain() throws Exception {
        refusals.set(2);

        assertThat(port.metric("kvorum_transfer_bytes_total")).isEqualTo(7);
    }

    @Test
    void metricThatIsMissingIsNotTakenForNought() {
        assertThatThrownBy(() -> port.metric("kvorum_transfer_cells_total"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("n4")
                .hasMessageContaining("kvorum_transfer_cells_total");
    }

    @Test
    void metricOfANodeThatIsGoneIsNotTakenForNought() {
        server.stop(0);

        assertThatThrownBy(() -> port.metric("kvorum_transfer_left"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("n4")
                .hasMessageContaining("kvorum_transfer_left");
    }
}
