package dev.kvorum.node.cluster;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A client of one node that works with versions: linearizable operations, and writes with a condition. */
public final class RegisterClient {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final String base;

    public RegisterClient(int port) {
        this.base = "http://127.0.0.1:" + port;
    }

    public HttpResponse<byte[]> get(String key) {
        return send("GET", key, "&consistency=linearizable", "").join();
    }

    public HttpResponse<byte[]> put(String key, String value) {
        return send("PUT", key, "&consistency=linearizable", value).join();
    }

    public HttpResponse<byte[]> delete(String key) {
        return send("DELETE", key, "&consistency=linearizable", "").join();
    }

    /** @param headers name and value in turn */
    public HttpResponse<byte[]> put(String key, String value, String... headers) {
        return putLater(key, value, headers).join();
    }

    public CompletableFuture<HttpResponse<byte[]>> putLater(String key, String value, String... headers) {
        return send("PUT", key, "", value, headers);
    }

    public HttpResponse<byte[]> delete(String key, String... headers) {
        return send("DELETE", key, "", "", headers).join();
    }

    /** @param query what follows the id */
    public CompletableFuture<HttpResponse<byte[]>> send(
            String method, String key, String query, String value, String... headers) {
        String id = URLEncoder.encode(key, StandardCharsets.UTF_8);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + "/v0/entity?id=" + id + query))
                .timeout(PATIENCE)
                .method(method, value.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(value));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return HTTP.sendAsync(request.build(), BodyHandlers.ofByteArray());
    }

    /** With its quotes. */
    public static String etag(HttpResponse<?> response) {
        return response.headers().firstValue("ETag").orElse("none");
    }
}
