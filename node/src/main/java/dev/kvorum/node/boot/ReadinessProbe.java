package dev.kvorum.node.boot;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks the node beside it whether it is ready, for images that have neither shell nor curl: a program of its own, which exits with 0 if it is
 * and with 1 if not, and says why. Where the management port listens it takes from the same environment as the node.
 */
public final class ReadinessProbe {
    private static final int TIMEOUT_MS = 3000;
    private static final int PORT_DEFAULT = 8081;

    private ReadinessProbe() {}

    public static void main(String[] arguments) {
        String reason = objection(ServiceLinks.removedFrom(System.getenv()));
        if (reason != null) {
            System.err.println(reason);
            System.exit(1);
        }
    }

    /** Why the node is not ready, or null if it is. Blocks for at most 3 s for each of connecting and answering. */
    static @Nullable String objection(Map<String, String> environment) {
        String host = environment.getOrDefault("MANAGEMENT_SERVER_ADDRESS", "127.0.0.1");
        String port = environment.getOrDefault("MANAGEMENT_SERVER_PORT", Integer.toString(PORT_DEFAULT));
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, Integer.parseInt(port)), TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            String request = "GET /actuator/health/readiness HTTP/1.0\r\nHost: " + host + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String status = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            return status != null && status.contains(" 200 ")
                    ? null
                    : "The node is not ready: it answers with \"" + status + "\".";
        } catch (NumberFormatException e) {
            return "MANAGEMENT_SERVER_PORT is \"" + port + "\", but must be a port.";
        } catch (IOException e) {
            return "The management port " + host + ":" + port + " does not answer: " + e.getMessage()
                    + ". The probe knows of another port only by the variable MANAGEMENT_SERVER_PORT.";
        }
    }
}
