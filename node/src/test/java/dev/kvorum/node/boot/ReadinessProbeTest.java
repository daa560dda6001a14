package dev.kvorum.node.boot;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.kvorum.node.cluster.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
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

    /** In a process of its own, which has the variables of a service called {@code management-server}. */
    @Test
    void addressOfAServiceIsNoPort() throws IOException {
        ProcessBuilder probe = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-classpath",
                System.getProperty("java.class.path"),
                ReadinessProbe.class.getName());
        probe.environment().put("MANAGEMENT_SERVER_PORT", "tcp://10.0.0.1:80");

        Process process = probe.redirectErrorStream(true).start();

        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
                .doesNotContain("MANAGEMENT_SERVER_PORT is");
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
