package dev.kvorum.node.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A client of one node, as any would be. */
public final class NodeClient {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final String base;

    public NodeClient(int port) {
        this.base = "http://127.0.0.1:" + port;
    }

    /** @param quorum as in {@code 2/3}, or empty for the default */
    public HttpResponse<byte[]> get(String key, String quorum) {
        return send(request("GET", key, quorum, BodyPublishers.noBody()));
    }

    public HttpResponse<byte[]> head(String key, String quorum) {
        return send(request("HEAD", key, quorum, BodyPublishers.noBody()));
    }

    public HttpResponse<byte[]> put(String key, String value, String quorum) {
        return put(key, value.getBytes(StandardCharsets.UTF_8), quorum);
    }

    public HttpResponse<byte[]> put(String key, byte[] value, String quorum) {
        return send(request("PUT", key, quorum, BodyPublishers.ofByteArray(value)));
    }

    public CompletableFuture<HttpResponse<byte[]>> putLater(String key, String value, String quorum) {
        return HTTP.sendAsync(request("PUT", key, quorum, BodyPublishers.ofString(value)), BodyHandlers.ofByteArray());
    }

    public CompletableFuture<HttpResponse<byte[]>> getLater(String key, String quorum) {
        return HTTP.sendAsync(request("GET", key, quorum, BodyPublishers.noBody()), BodyHandlers.ofByteArray());
    }

    public HttpResponse<byte[]> delete(String key, String quorum) {
        return send(request("DELETE", key, quorum, BodyPublishers.noBody()));
    }

    /** Any request to any path. */
    public HttpResponse<byte[]> send(String method, String target, BodyPublisher body) {
        return send(HttpRequest.newBuilder(URI.create(base + target))
                .timeout(PATIENCE)
                .method(method, body)
                .build());
    }

    private HttpRequest request(String method, String key, String quorum, BodyPublisher body) {
        String id = URLEncoder.encode(key, StandardCharsets.UTF_8);
        String query = quorum.isEmpty() ? "" : "&ack=" + quorum.replace("/", "&from=");
        return HttpRequest.newBuilder(URI.create(base + "/v0/entity?id=" + id + query))
                .timeout(PATIENCE)
                .method(method, body)
                .build();
    }

    private static HttpResponse<byte[]> send(HttpRequest request) {
        try {
            return HTTP.send(request, BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public static String text(HttpResponse<byte[]> response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }
}
