package dev.kvorum.node.http.client;

import dev.kvorum.node.http.AnswerGuard;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What the cluster looks like from this node: epoch, members, and the default replicas of every partition. Any thread. */
public final class TopologyHandler {
    private static final JsonMapper JSON = new JsonMapper();

    private final Membership membership;
    private volatile @Nullable Rendered last;

    public TopologyHandler(Membership membership) {
        this.membership = membership;
    }

    Mono<Void> get(ServerHttpRequest request, ServerHttpResponse response) {
        byte[] json = rendered(membership.view());
        AnswerGuard.require(request, json.length);
        response.setStatusCode(HttpStatus.OK);
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        response.getHeaders().setContentLength(json.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(json)));
    }

    /** Made once per epoch: with thousands of partitions it is too long to make for each request. */
    private byte[] rendered(ClusterView view) {
        Rendered known = last;
        if (known == null || known.epoch != view.topology().epoch()) {
            known = new Rendered(view.topology().epoch(), render(view));
            last = known;
        }
        return known.json;
    }

    private static byte[] render(ClusterView view) {
        Topology topology = view.topology();
        ObjectNode object = JSON.createObjectNode();
        if (topology.cluster() != null) {
            object.put("cluster", topology.cluster());
        }
        object.put("epoch", topology.epoch());
        object.put("self", view.self());
        object.put("replicationFactor", topology.replicationFactor());
        ArrayNode members = object.putArray("members");
        topology.members().forEach(member -> render(member, members.addObject()));
        ArrayNode partitions = object.putArray("partitions");
        for (int partition = 0; partition < topology.partitions(); partition++) {
            ArrayNode owners = partitions.addArray();
            view.placement().owners(partition, view.fromDefault()).forEach(owner -> owners.add(owner.id()));
        }
        return JSON.writeValueAsBytes(object);
    }

    private static void render(Member member, ObjectNode object) {
        object.put("id", member.id());
        object.put("api", member.api().toString());
        object.put("zone", member.zone());
        object.put("state", member.state().name());
        object.put("weight", member.weight());
    }

    private static final class Rendered {
        final long epoch;
        final byte[] json;

        Rendered(long epoch, byte[] json) {
            this.epoch = epoch;
            this.json = json;
        }
    }
}
