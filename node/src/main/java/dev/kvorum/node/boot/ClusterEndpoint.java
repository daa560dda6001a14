package dev.kvorum.node.boot;

import dev.kvorum.control.ControlJson;
import dev.kvorum.control.Peer;
import dev.kvorum.control.Settled;
import dev.kvorum.node.control.ClusterControl;
import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** All members of the cluster, asked and told through this node. */
@Endpoint(id = "cluster")
final class ClusterEndpoint {
    private final ClusterControl cluster;

    ClusterEndpoint(ClusterControl cluster) {
        this.cluster = cluster;
    }

    /**
     * What all members say of themselves.
     *
     * @param others nodes that are asked as well: {@code n4=http://10.0.0.7:9090,...}
     * @param former members that have left: they are asked as well, and get the newest topology
     */
    @ReadOperation(produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<byte[]> report(@Nullable String others, @Nullable String former) {
        return cluster.observe(others(others), others(former))
                .publishOn(Schedulers.boundedElastic()) // The JSON of a large cluster takes long.
                .map(ControlJson::write)
                .onErrorMap(ControlRefusals::of);
    }

    private static List<Peer> others(@Nullable String others) {
        try {
            return others == null ? List.of() : Peer.read(others);
        } catch (IllegalArgumentException e) {
            throw ControlRefusals.refused(HttpStatus.BAD_REQUEST, "malformed-request", String.valueOf(e.getMessage()));
        }
    }

    /** @param part {@code sizes}: how much each member holds, by partition */
    @ReadOperation(produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<byte[]> sizes(@Selector String part) {
        ControlRefusals.requirePart("sizes", part);
        return cluster.sizes()
                .publishOn(Schedulers.boundedElastic())
                .map(ControlJson::writeSizes)
                .onErrorMap(ControlRefusals::of);
    }

    /**
     * Publishes a topology, or lets members pull data.
     *
     * @param part {@code topology} or {@code settled}
     * @param topology the next after the newest, as JSON; with {@code topology}
     * @param epoch that all members go by; with {@code settled}
     * @param members ids of those that are told, separated by commas; with {@code settled}
     * @param gone ids of members that will never come back, separated by commas
     */
    @WriteOperation
    Mono<Void> tell(
            @Selector String part,
            @Nullable String topology,
            @Nullable Long epoch,
            @Nullable String members,
            @Nullable String gone) {
        return switch (part) {
            case "topology" -> publish(required("topology", topology), gone);
            case "settled" ->
                cluster.settle(
                                new Settled(required("epoch", epoch), Ids.read(gone)),
                                Ids.read(required("members", members)))
                        .onErrorMap(ControlRefusals::of);
            default -> throw ControlRefusals.unknownPart("topology or settled", part);
        };
    }

    private Mono<Void> publish(String json, @Nullable String gone) {
        Topology next;
        try {
            next = TopologyJson.read(json.getBytes(StandardCharsets.UTF_8));
        } catch (InvalidTopologyException e) {
            return Mono.error(ControlRefusals.of(e));
        }
        return cluster.publish(next, Ids.read(gone)).onErrorMap(ControlRefusals::of);
    }

    private static <T> T required(String name, @Nullable T value) {
        if (value == null) {
            throw ControlRefusals.refused(
                    HttpStatus.BAD_REQUEST, "malformed-request", "the parameter " + name + " is missing");
        }
        return value;
    }
}
