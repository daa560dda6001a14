package dev.kvorum.node.boot;

import dev.kvorum.node.membership.TopologyExchange;
import java.nio.charset.StandardCharsets;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import reactor.core.publisher.Mono;

/** The topology that this node goes by, and a newer one for it. */
@Endpoint(id = "topology")
final class TopologyEndpoint {
    private static final byte[] NOTHING = {};

    private final TopologyExchange exchange;

    TopologyEndpoint(TopologyExchange exchange) {
        this.exchange = exchange;
    }

    @ReadOperation(produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<byte[]> present() {
        return exchange.answer(NOTHING);
    }

    /** @param topology the next after the one in force, as JSON */
    @WriteOperation(produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<byte[]> publish(String topology) {
        return exchange.propose(topology.getBytes(StandardCharsets.UTF_8)).onErrorMap(ControlRefusals::of);
    }

    /**
     * Gives this node a topology that other members go by.
     *
     * @param way {@code offer}
     * @param topology as JSON; this node may have missed some before it
     */
    @WriteOperation(produces = MediaType.APPLICATION_JSON_VALUE)
    Mono<byte[]> offer(@Selector String way, String topology) {
        ControlRefusals.requirePart("offer", way);
        if (topology.isEmpty()) { // Other members ask so what this node goes by.
            throw ControlRefusals.refused(HttpStatus.BAD_REQUEST, "invalid-topology", "the topology is empty");
        }
        return exchange.answer(topology.getBytes(StandardCharsets.UTF_8)).onErrorMap(ControlRefusals::of);
    }
}
