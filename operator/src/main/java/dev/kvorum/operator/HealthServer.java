package dev.kvorum.operator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/** Answers {@code /healthz} (the process works) and {@code /readyz} (it acts, or waits for its lease). */
final class HealthServer implements AutoCloseable {
    private final HttpServer server;

    HealthServer(int port, BooleanSupplier alive, BooleanSupplier ready) throws IOException {
        server = HttpServer.create(new InetSocketAddress(port), 0);
        server.createContext("/healthz", exchange -> answer(exchange, alive.getAsBoolean()));
        server.createContext("/readyz", exchange -> answer(exchange, ready.getAsBoolean()));
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, boolean good) throws IOException {
        byte[] body = (good ? "ok\n" : "not ok\n").getBytes(StandardCharsets.US_ASCII);
        try (exchange) {
            exchange.sendResponseHeaders(
                    good ? HttpURLConnection.HTTP_OK : HttpURLConnection.HTTP_UNAVAILABLE, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
