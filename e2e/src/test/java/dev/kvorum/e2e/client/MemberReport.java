package dev.kvorum.e2e.client;

import dev.kvorum.e2e.cluster.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a node reports of itself to whoever changes the members, as docs/peer-protocol.md says. */
public record MemberReport(String text) {
    private static final JsonMapper JSON = new JsonMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    /** Asks the node. Blocks. */
    public static MemberReport of(Node node) {
        HttpRequest request = HttpRequest.newBuilder(node.peers().resolve("/v0/member"))
                .timeout(ANSWER_MAX)
                .build();
        try {
            return new MemberReport(HTTP.send(request, BodyHandlers.ofString()).body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Partitions that it has yet to pull, as its disk was lost. */
    public int rebuilding() {
        return number("rebuilding").asInt();
    }

    /** Partitions that it may hold though it need not. */
    public int pendingDrops() {
        return number("former", "pending").asInt();
    }

    private JsonNode number(String... path) {
        JsonNode node = JSON.readTree(text);
        for (String name : path) {
            node = node.path(name);
        }
        if (!node.isNumber()) {
            throw new AssertionError("The report has no number " + String.join(".", path) + ": " + text);
        }
        return node;
    }
}
