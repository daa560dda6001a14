package dev.kvorum.e2e.client;

import dev.kvorum.e2e.cluster.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** What a node says of itself at one time: lines of Prometheus' text format. */
public record Metrics(String text) {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    /** Asks the node. Blocks. */
    public static Metrics of(Node node) {
        HttpRequest request = HttpRequest.newBuilder(node.management().resolve("/actuator/prometheus"))
                .timeout(ANSWER_MAX)
                .build();
        try {
            return new Metrics(HTTP.send(request, BodyHandlers.ofString()).body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /**
     * The sum of the samples of that name which have all those labels; 0 where there is none.
     *
     * @param labels each as {@code member="n3"}
     */
    public double sum(String name, String... labels) {
        return text.lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .filter(line -> hasAll(line, labels))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static boolean hasAll(String line, String... labels) {
        for (String label : labels) {
            if (!line.contains(label)) {
                return false;
            }
        }
        return true;
    }
}
