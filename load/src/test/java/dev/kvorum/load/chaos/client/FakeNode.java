package dev.kvorum.load.chaos.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers as a test says: a node answers so only in faults that a test can't bring about at will. */
final class FakeNode implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    final AtomicInteger life = new AtomicInteger(1);
    final AtomicInteger requests = new AtomicInteger();

    /** What is done about a request. */
    @FunctionalInterface
    interface Behaviour {
        void answer(HttpExchange exchange) throws IOException;
    }

    FakeNode(Behaviour behaviour) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            behaviour.answer(exchange);
        });
        server.start();
    }

    static FakeNode answering(int status, String version, String body) throws IOException {
        return new FakeNode(exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().add("Kvorum-Version", version);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    Target target(String id) {
        int port = server.getAddress().getPort();
        return new Target(id, URI.create("http://127.0.0.1:" + port), life::get);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
