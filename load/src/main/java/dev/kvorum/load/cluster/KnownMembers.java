package dev.kvorum.load.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The members of a cluster by the newest topology that any node tells of.
 *
 * @param epoch  of that; 0 where no node answers
 * @param states of the members, by their ids
 */
public record KnownMembers(long epoch, Map<String, String> states) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    static KnownMembers of(HttpClient http, List<NodeProcess> nodes) throws InterruptedException {
        KnownMembers newest = new KnownMembers(0, Map.of());
        for (NodeProcess node : nodes) {
            KnownMembers told = told(http, node);
            newest = told.epoch > newest.epoch ? told : newest;
        }
        return newest;
    }

    private static KnownMembers told(HttpClient http, NodeProcess node) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(node.api().resolve("/v0/topology"))
                .timeout(PATIENCE)
                .build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            JsonNode topology = JSON.readTree(response.body());
            Map<String, String> states = new TreeMap<>();
            topology.path("members")
                    .forEach(member -> states.put(
                            member.path("id").asText(), member.path("state").asText()));
            return new KnownMembers(topology.path("epoch").asLong(), states);
        } catch (IOException _) {
            return new KnownMembers(0, Map.of()); // It is in a fault: others tell.
        }
    }

    public boolean isKnown() {
        return epoch > 0;
    }

    public boolean names(String id) {
        return states.containsKey(id);
    }

    public boolean isActive(String id) {
        return "ACTIVE".equals(states.get(id));
    }

    /** Whether a change is running. */
    public boolean isChanging() {
        return states.values().stream().anyMatch(state -> !"ACTIVE".equals(state));
    }
}
