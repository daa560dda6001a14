package dev.kvorum.e2e.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** What a node is asked beside the requests of clients. */
final class Question {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    private Question() {}

    /**
     * The body of the answer; fails where its status is not 200. Blocks.
     *
     * @throws UncheckedIOException if there is none
     */
    static String ask(URI target) {
        HttpRequest request = HttpRequest.newBuilder(target).timeout(ANSWER_MAX).build();
        try {
            HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new AssertionError(target + " answers with " + response.statusCode() + ": " + response.body());
            }
            return response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
