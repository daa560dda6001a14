package dev.kvorum.load.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a node tells of itself: whether it is ready, and its metrics. */
public final class ManagementPort {
    private static final String METRICS = "/actuator/prometheus";
    private static final String READINESS = "/actuator/health/readiness";
    private static final String TOTAL = "_total";
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int LOOKS_MAX = 5;
    private static final long PAUSE_MILLIS = 200;

    private final String node;
    private final HttpClient http;
    private final URI base;

    ManagementPort(String node, HttpClient http, int port) {
        this.node = node;
        this.http = http;
        this.base = URI.create("http://127.0.0.1:" + port);
    }

    public URI uri() {
        return base;
    }

    /** Whether it serves. */
    public boolean isReady() throws InterruptedException {
        return get(READINESS).isPresent();
    }

    /** What it says of its readiness, ready or not; empty if it does not answer in time. */
    public Optional<String> readiness() throws InterruptedException {
        return ask(READINESS).map(HttpResponse::body);
    }

    /**
     * Sums by name over all labels, but for memory, which is told apart by area; empty if the node does not answer in time.
     *
     * @param names of the metrics to tell; the node spends nothing on others
     */
    public Optional<Map<String, Double>> metrics(List<String> names) throws InterruptedException {
        return get(METRICS + "?includedNames=" + String.join(",", names)).map(PrometheusText::sums);
    }

    /**
     * One of them that must be known: what is not known must not count as nothing. Looks again some times. The node tells no others for it.
     *
     * @throws IOException if the node does not answer, or does not tell it, whenever it is asked
     */
    public double metric(String name) throws IOException, InterruptedException {
        for (int look = 1; look <= LOOKS_MAX; look++) {
            if (look > 1) {
                Thread.sleep(PAUSE_MILLIS);
            }
            Optional<Double> told = metrics(List.of(family(name))).flatMap(all -> Optional.ofNullable(all.get(name)));
            if (told.isPresent()) {
                return told.get();
            }
        }
        throw new IOException("Node " + node + " does not tell " + name + ", though asked " + LOOKS_MAX + " times");
    }

    /** A counter is asked for without the end of its name by which it is told. */
    private static String family(String name) {
        return name.endsWith(TOTAL) ? name.substring(0, name.length() - TOTAL.length()) : name;
    }

    private Optional<String> get(String path) throws InterruptedException {
        return ask(path).filter(response -> response.statusCode() == 200).map(HttpResponse::body);
    }

    private Optional<HttpResponse<String>> ask(String path) throws InterruptedException {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(base.resolve(path)).timeout(PATIENCE).build();
            return Optional.of(http.send(request, BodyHandlers.ofString()));
        } catch (IOException _) {
            // Not there, or not yet: the caller asks again, or does without.
            return Optional.empty();
        }
    }
}
