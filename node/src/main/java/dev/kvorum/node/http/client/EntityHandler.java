package dev.kvorum.node.http.client;

import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.coordinator.QuorumPolicy;
import dev.kvorum.node.coordinator.ReadCoordinator;
import dev.kvorum.node.coordinator.ReadOutcome;
import dev.kvorum.node.coordinator.WriteCoordinator;
import dev.kvorum.node.http.AnswerGuard;
import dev.kvorum.node.http.Body;
import dev.kvorum.node.http.client.ClientMetrics.Operation;
import dev.kvorum.node.quorum.Quorum;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** GET, HEAD, PUT and DELETE of one entity. Any thread. */
public final class EntityHandler {
    private final ReadCoordinator reads;
    private final WriteCoordinator writes;
    private final QuorumPolicy policy;
    private final Body body;
    private final Admission admission;
    private final ClientMetrics metrics;

    /** @param body gathers values, which bounds their length */
    public EntityHandler(
            ReadCoordinator reads,
            WriteCoordinator writes,
            QuorumPolicy policy,
            Body body,
            Admission admission,
            ClientMetrics metrics) {
        this.reads = reads;
        this.writes = writes;
        this.policy = policy;
        this.body = body;
        this.admission = admission;
        this.metrics = metrics;
    }

    Mono<Void> get(ServerHttpRequest request, ServerHttpResponse response) {
        EntityQuery query = EntityQuery.parse(request.getURI().getRawQuery());
        Quorum quorum = policy.forRead(query.ack(), query.from());
        long begun = System.nanoTime();
        return admission.admit(request, () -> reads.read(query.key(), quorum)).flatMap(outcome -> {
            AnswerGuard.require(request, valueLength(outcome)); // Or it ends as a refusal, and is counted as such.
            metrics.ended(Operation.READ, EntityAnswer.kindOf(outcome), System.nanoTime() - begun);
            return EntityAnswer.send(response, outcome);
        });
    }

    private static int valueLength(ReadOutcome outcome) {
        return outcome instanceof ReadOutcome.Found found ? found.cell().valueLength() : 0;
    }

    Mono<Void> put(ServerHttpRequest request, ServerHttpResponse response) {
        EntityQuery query = EntityQuery.parse(request.getURI().getRawQuery());
        Quorum quorum = policy.forWrite(query.ack(), query.from());
        return body.gather(
                request,
                EntityHandler::draft,
                Draft.ofValue(0),
                draft -> write(Operation.WRITE, query, draft, quorum, request, response, HttpStatus.CREATED));
    }

    Mono<Void> delete(ServerHttpRequest request, ServerHttpResponse response) {
        EntityQuery query = EntityQuery.parse(request.getURI().getRawQuery());
        Quorum quorum = policy.forWrite(query.ack(), query.from());
        return write(Operation.DELETE, query, Draft.tombstone(), quorum, request, response, HttpStatus.ACCEPTED);
    }

    private Mono<Void> write(
            Operation operation,
            EntityQuery query,
            Draft draft,
            Quorum quorum,
            ServerHttpRequest request,
            ServerHttpResponse response,
            HttpStatus success) {
        long begun = System.nanoTime();
        return admission
                .admit(request, () -> writes.write(query.key(), draft, quorum))
                .flatMap(outcome -> {
                    metrics.ended(operation, EntityAnswer.kindOf(outcome), System.nanoTime() - begun);
                    return EntityAnswer.send(response, outcome, success);
                });
    }

    private static Draft draft(DataBuffer value) {
        Draft draft = Draft.ofValue(value.readableByteCount());
        value.toByteBuffer(draft.value()); // The one copy between the socket and the storage.
        return draft;
    }
}
