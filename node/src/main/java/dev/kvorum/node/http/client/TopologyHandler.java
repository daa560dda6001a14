package dev.kvorum.node.http.client;

import dev.kvorum.node.http.AnswerGuard;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport.Life;
import dev.kvorum.topology.change.MemberReport.Loss;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the cluster looks like from this node: epoch, members, the default replicas of every partition, and when it was last verified. Any
 * thread.
 */
public final class TopologyHandler {
    private static final JsonMapper JSON = new JsonMapper();

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Membership membership;
    private final IntToLongFunction verifiedAt;
    private final LongSupplier nanos;
    private final Supplier<Life> life;
    private volatile @Nullable Rendered last;

    /**
     * @param verifiedAt when a partition was last verified, in milliseconds since 1970; not positive for never
     * @param nanos as {@link System#nanoTime}
     * @param life of this member on its disk
     */
    public TopologyHandler(
            Membership membership, IntToLongFunction verifiedAt, LongSupplier nanos, Supplier<Life> life) {
        this.membership = membership;
        this.verifiedAt = verifiedAt;
        this.nanos = nanos;
        this.life = life;
    }

    Mono<Void> get(ServerHttpRequest request, ServerHttpResponse response) {
        return rendered(membership.view()).flatMap(json -> answer(request, response, json));
    }

    private static Mono<Void> answer(ServerHttpRequest request, ServerHttpResponse response, byte[] json) {
        AnswerGuard.require(request, json.length);
        response.setStatusCode(HttpStatus.OK);
        response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
        response.getHeaders().setContentLength(json.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(json)));
    }

    /**
     * Made once per epoch and second, and not on an event loop: with thousands of partitions it takes milliseconds. Who asks meanwhile waits for the
     * same.
     */
    private Mono<byte[]> rendered(ClusterView view) {
        Rendered known = last;
        long now = nanos.getAsLong();
        if (known == null || known.epoch != view.topology().epoch() || now - known.nanos > FRESH_NANOS) {
            Mono<byte[]> json = Mono.fromSupplier(() -> render(view))
                    .subscribeOn(Schedulers.boundedElastic())
                    .cache();
            known = new Rendered(view.topology().epoch(), now, json);
            last = known;
        }
        return known.json;
    }

    private byte[] render(ClusterView view) {
        Topology topology = view.topology();
        ObjectNode object = JSON.createObjectNode();
        if (topology.cluster() != null) {
            object.put("cluster", topology.cluster());
        }
        object.put("epoch", topology.epoch());
        object.put("self", view.self());
        render(life.get(), object.putObject("life"));
        object.put("replicationFactor", topology.replicationFactor());
        object.put("reads", topology.reads().name());
        ArrayNode members = object.putArray("members");
        topology.members().forEach(member -> render(member, members.addObject()));
        ArrayNode partitions = object.putArray("partitions");
        for (int partition = 0; partition < topology.partitions(); partition++) {
            ArrayNode owners = partitions.addArray();
            view.placement().owners(partition, view.fromDefault()).forEach(owner -> owners.add(owner.id()));
        }
        ArrayNode verified = object.putArray("verified");
        for (int partition = 0; partition < topology.partitions(); partition++) {
            verified.add(Math.max(0, verifiedAt.applyAsLong(partition)) / 1000);
        }
        return JSON.writeValueAsBytes(object);
    }

    private static void render(Life life, ObjectNode object) {
        Loss loss = life.loss();
        object.put("start", life.start());
        object.put("diskComplete", loss == null);
        if (loss != null) {
            object.put("lost", loss.extent().name());
            object.put("lostBefore", Instant.ofEpochMilli(loss.before()).toString());
            object.put("partitionsNotWhole", loss.partitions());
            object.put("why", loss.why());
        }
    }

    private static void render(Member member, ObjectNode object) {
        object.put("id", member.id());
        object.put("api", member.api().toString());
        object.put("zone", member.zone());
        object.put("state", member.state().name());
        object.put("weight", member.weight());
    }

    private record Rendered(long epoch, long nanos, Mono<byte[]> json) {}
}
