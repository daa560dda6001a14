package dev.kvorum.node.boot;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.kvorum.node.cluster.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReadinessProbeTest {
    @Test
    void readyNodeIsLetBe() throws IOException {
        assertThat(objectionTo(200)).isNull();
    }

    @Test
    void nodeThatIsNotReadyIsObjectedToInItsOwnWords() throws IOException {
        assertThat(objectionTo(503)).contains("503");
    }

    @Test
    void silentPortIsNamed() {
        int free = Ports.free();

        assertThat(ReadinessProbe.objection(Map.of("MANAGEMENT_SERVER_PORT", Integer.toString(free))))
                .contains("127.0.0.1:" + free);
    }

    @Test
    void portThatIsNoneIsNamed() {
        assertThat(ReadinessProbe.objection(Map.of("MANAGEMENT_SERVER_PORT", "eighty")))
                .contains("eighty");
    }

    private static @Nullable String objectionTo(int status) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/actuator/health/readiness", exchange -> {
            byte[] body = "{}".getBytes(US_ASCII);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            return ReadinessProbe.objection(Map.of(
                    "MANAGEMENT_SERVER_PORT",
                    Integer.toString(server.getAddress().getPort())));
        } finally {
            server.stop(0);
        }
    }
}
