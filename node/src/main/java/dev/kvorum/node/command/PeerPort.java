package dev.kvorum.node.command;

import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReportJson;
import dev.kvorum.topology.change.PartitionSizes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The peers' port of one node. Blocks for some seconds at most; all throw {@link PeerPortException} where it does not do as asked. */
record PeerPort(HttpClient client, URI address) {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final JsonMapper JSON = new JsonMapper();

    Topology topology() {
        return get("/v0/topology", TopologyJson::read);
    }

    MemberReport report() {
        return get("/v0/member", MemberReportJson::readReport);
    }

    PartitionSizes sizes() {
        return get("/v0/sizes", MemberReportJson::readSizes);
    }

    /** Publishes a topology, the next after the one that it goes by. */
    void publish(Topology topology) {
        var _ = post("/v0/topology", TopologyJson.write(topology));
    }

    /** Sends it a topology that others go by, as they would: it goes by that then, however many it has missed. */
    void bringTo(Topology topology) {
        byte[] json = TopologyJson.write(topology);
        var _ = post(
                "/replica/topology",
                ByteBuffer.allocate(Long.BYTES + json.length)
                        .putLong(topology.epoch())
                        .put(json)
                        .array());
    }

    /** Tells it that all members but these go by that epoch. */
    void settle(long epoch, Set<String> gone) {
        String ids = gone.stream().map(id -> "\"" + id + "\"").collect(Collectors.joining(", "));
        String told = "{\"epoch\": " + epoch + ", \"gone\": [" + ids + "]}";
        var _ = post("/v0/settled", told.getBytes(StandardCharsets.UTF_8));
    }

    private <T> T get(String path, Function<byte[], T> read) {
        byte[] body = send(HttpRequest.newBuilder(address.resolve(path)).GET());
        try {
            return read.apply(body);
        } catch (InvalidTopologyException | IllegalArgumentException e) {
            throw new PeerPortException(address + path + " is not what a node answers: " + e.getMessage(), 200);
        }
    }

    private byte[] post(String path, byte[] body) {
        return send(HttpRequest.newBuilder(address.resolve(path)).POST(BodyPublishers.ofByteArray(body)));
    }

    private byte[] send(HttpRequest.Builder request) {
        try {
            HttpResponse<byte[]> response =
                    client.send(request.timeout(PATIENCE).build(), BodyHandlers.ofByteArray());
            if (response.statusCode() / 100 != 2) {
                throw new PeerPortException(detail(response), response.statusCode());
            }
            return response.body();
        } catch (IOException e) {
            throw new PeerPortException(address + " can't be asked: " + e, 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PeerPortException("interrupted", 0);
        }
    }

    private String detail(HttpResponse<byte[]> response) {
        String status = address + " answered " + response.statusCode();
        try {
            String detail = JSON.readTree(response.body()).path("detail").asString("");
            return detail.isEmpty() ? status : detail;
        } catch (JacksonException e) {
            return status; // No node of ours, or none that had time for words.
        }
    }
}
