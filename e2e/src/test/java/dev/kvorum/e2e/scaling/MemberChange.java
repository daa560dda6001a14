package dev.kvorum.e2e.scaling;

import dev.kvorum.e2e.client.Metrics;
import dev.kvorum.e2e.cluster.Cluster;
import dev.kvorum.e2e.cluster.Eventually;
import dev.kvorum.e2e.cluster.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A change of the members in the steps that docs/operations.md tells whoever publishes topologies: begin, bring the data, switch the reads, finish. */
final class MemberChange {
    private static final Duration TAKEN_OVER_MAX = Duration.ofSeconds(30);
    private static final Duration BROUGHT_MAX = Duration.ofMinutes(2);
    private static final JsonMapper JSON = new JsonMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Cluster cluster;
    private final List<Node> before;
    private final List<Node> after;

    MemberChange(Cluster cluster, List<Node> before, List<Node> after) {
        this.cluster = cluster;
        this.before = before;
        this.after = after;
    }

    /** Blocks until it is finished; those that join run from its beginning on, those that leave are stopped at its end. */
    void carryOut() {
        List<Node> both =
                Stream.concat(before.stream(), after.stream()).distinct().toList();
        List<Node> joining =
                both.stream().filter(node -> !before.contains(node)).toList();
        List<Node> leaving = both.stream().filter(node -> !after.contains(node)).toList();
        Function<Node, String> during =
                node -> joining.contains(node) ? "JOINING" : leaving.contains(node) ? "LEAVING" : "ACTIVE";

        int begun = cluster.publish(both, during, "CURRENT");
        joining.parallelStream().forEach(Node::create);
        joining.forEach(Node::awaitReady);
        awaitEpoch(both, begun);
        bringData(both, after);
        awaitEpoch(both, cluster.publish(both, during, "NEXT"));
        awaitEpoch(after, cluster.publish(after, node -> "ACTIVE", "CURRENT"));
        leaving.forEach(node -> {
            node.stop();
            node.remove();
        });
    }

    private static void awaitEpoch(List<Node> nodes, int epoch) {
        for (Node node : nodes) {
            Eventually.await(
                    node + " goes by epoch " + epoch,
                    TAKEN_OVER_MAX,
                    () -> Metrics.of(node).sum("kvorum_topology_epoch") >= epoch);
        }
    }

    /** Those compare all that they own or will own with the others; what one can't verify itself it hands over to another. */
    private static void bringData(List<Node> all, List<Node> owners) {
        owners.forEach(node -> ask(node, request(node).POST(BodyPublishers.ofString("{}"))));
        Eventually.await("repair of all ends", BROUGHT_MAX, () -> areIdle(all));
        // Once more: one that was found idle may have been handed over something since.
        Eventually.await("repair of all has ended", BROUGHT_MAX, () -> areIdle(all));
        for (Node node : all) {
            JsonNode failure = repairOf(node).path("lastFailure");
            if (failure.isString()) {
                throw new AssertionError("repair of " + node + " did not verify all: " + failure);
            }
        }
    }

    private static boolean areIdle(List<Node> nodes) {
        return nodes.stream()
                .map(MemberChange::repairOf)
                .allMatch(repair -> repair.path("waiting").asInt() == 0
                        && !repair.path("running").isNumber());
    }

    private static JsonNode repairOf(Node node) {
        return ask(node, request(node).GET());
    }

    private static HttpRequest.Builder request(Node node) {
        return HttpRequest.newBuilder(node.management().resolve("/actuator/repair"))
                .header("Content-Type", "application/json");
    }

    private static JsonNode ask(Node node, HttpRequest.Builder request) {
        try {
            return JSON.readTree(
                    HTTP.send(request.build(), BodyHandlers.ofString()).body());
        } catch (IOException e) {
            throw new UncheckedIOException(node + " does not tell about repair", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
