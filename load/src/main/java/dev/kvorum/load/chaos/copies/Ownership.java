package dev.kvorum.load.chaos.copies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Who owns which partition, as a node tells everybody.
 *
 * @param owners ids, in order, by partition: as many as hold what is written with as many copies as by default
 */
record Ownership(long epoch, List<List<String>> owners) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int OK = 200;
    private static final long FIRST_EPOCH = 1;

    /** Whether members have changed since the file that the cluster began with: each change has epochs of its own. */
    boolean haveMembersChanged() {
        return epoch > FIRST_EPOCH;
    }

    static Ownership of(HttpClient http, URI api) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(api.resolve("/v0/topology"))
                .timeout(PATIENCE)
                .build();
        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
        if (response.statusCode() != OK) {
            throw new IOException(api + " answered " + response.statusCode() + " to /v0/topology");
        }
        JsonNode topology = JSON.readTree(response.body());
        List<List<String>> owners = new ArrayList<>();
        for (JsonNode partition : topology.path("partitions")) {
            List<String> ids = new ArrayList<>();
            partition.forEach(id -> ids.add(id.asText()));
            owners.add(ids);
        }
        return new Ownership(topology.path("epoch").asLong(), owners);
    }
}
