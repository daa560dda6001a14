package dev.kvorum.node.http.client;

import dev.kvorum.node.admission.Admission;
import dev.kvorum.node.admission.Entrance;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.consensus.Condition;
import dev.kvorum.node.coordinator.AskedQuorum;
import dev.kvorum.node.coordinator.ReadOutcome;
import dev.kvorum.node.http.AnswerGuard;
import dev.kvorum.node.http.Body;
import dev.kvorum.node.http.Problem;
import dev.kvorum.node.http.RefusedRequestException;
import dev.kvorum.node.http.client.ClientMetrics.Operation;
import dev.kvorum.node.http.client.ClientMetrics.Outcome;
import java.util.function.Supplier;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** GET, HEAD, PUT and DELETE of one entity. Any thread. */
public final class EntityHandler {
    private final EntityOperations operations;
    private final Body body;
    private final Admission admission;
    private final ClientMetrics metrics;

    /** @param body gathers values, which bounds their length */
    public EntityHandler(EntityOperations operations, Body body, Admission admission, ClientMetrics metrics) {
        this.operations = operations;
        this.body = body;
        this.admission = admission;
        this.metrics = metrics;
    }

    Mono<Void> get(ServerHttpRequest request, ServerHttpResponse response) {
        EntityQuery query = EntityQuery.parse(request.getURI().getRawQuery());
        Condition match = Conditions.match(request.getHeaders());
        Condition noneMatch = Conditions.noneMatch(request.getHeaders());
        Supplier<Mono<ReadOutcome>> read = isLinearizable(query, new Condition.None())
                ? () -> operations.registers().read(query.key())
                : read(query);
        long begun = System.nanoTime();
        Entrance entrance = admission.entrance(request);
        return entrance.admit(request, read).flatMap(outcome -> {
            if (!(outcome instanceof ReadOutcome.Found found)) {
                if (outcome instanceof ReadOutcome.Absent) {
                    entrance.held(0);
                }
                ended(outcome, begun);
                return EntityAnswer.send(response, outcome);
            }
            entrance.held((long) found.quorum().ack() * found.cell().valueLength());
            Sent sent = Sent.of(found, match, noneMatch);
            if (sent == Sent.VALUE) {
                AnswerGuard.require(
                        request, found.cell().valueLength()); // Or it ends as a refusal, and is counted as such.
            }
            ended(outcome, begun);
            return switch (sent) {
                case VALUE -> EntityAnswer.send(response, outcome);
                case NOT_MODIFIED -> EntityAnswer.sendNotModified(response, found);
                case OTHER -> EntityAnswer.sendOther(response, found);
            };
        });
    }

    private void ended(ReadOutcome outcome, long begun) {
        metrics.ended(Operation.READ, EntityAnswer.kindOf(outcome), System.nanoTime() - begun);
    }

    /** What is sent where there is a value. */
    private enum Sent {
        VALUE,
        NOT_MODIFIED,
        OTHER;

        /** RFC 9110, section 13.2: {@code If-Match} is looked at first. */
        static Sent of(ReadOutcome.Found found, Condition match, Condition noneMatch) {
            Version version = found.cell().version();
            if (!match.holdsFor(version)) {
                return OTHER;
            }
            return noneMatch.holdsFor(version) ? VALUE : NOT_MODIFIED;
        }
    }

    private Supplier<Mono<ReadOutcome>> read(EntityQuery query) {
        AskedQuorum asked = operations.quorums().forRead(query.ack(), query.from());
        return () -> operations.reads().read(query.key(), asked);
    }

    private static boolean isLinearizable(EntityQuery query, Condition condition) {
        boolean isConditional = !(condition instanceof Condition.None);
        if (isConditional && query.consistency() == Consistency.QUORUM) {
            throw refused("a write with a condition is linearizable, consistency=quorum can't be had with it");
        }
        boolean isLinearizable = isConditional || query.consistency() == Consistency.LINEARIZABLE;
        if (isLinearizable && query.saysQuorum()) {
            throw refused((isConditional ? "a write with a condition" : "a linearizable operation")
                    + " is decided by a majority of the replication factor: leave ack and from out");
        }
        return isLinearizable;
    }

    private static RefusedRequestException refused(String detail) {
        return RefusedRequestException.of(Problem.badRequest("invalid-parameter", detail));
    }

    Mono<Void> put(ServerHttpRequest request, ServerHttpResponse response) {
        Writing writing = writing(Operation.WRITE, HttpStatus.CREATED, request, response);
        return body.gather(request, EntityHandler::draft, Draft.ofValue(0), writing::carryOut);
    }

    Mono<Void> delete(ServerHttpRequest request, ServerHttpResponse response) {
        return writing(Operation.DELETE, HttpStatus.ACCEPTED, request, response).carryOut(Draft.tombstone());
    }

    private Writing writing(
            Operation operation, HttpStatus success, ServerHttpRequest request, ServerHttpResponse response) {
        EntityQuery query = EntityQuery.parse(request.getURI().getRawQuery());
        Condition condition = Conditions.of(request.getHeaders());
        if (isLinearizable(query, condition)) {
            return draft -> change(operation, query, draft, condition, request, response, success);
        }
        AskedQuorum asked = operations.quorums().forWrite(query.ack(), query.from());
        return draft -> write(operation, query, draft, asked, request, response, success);
    }

    /** A write that waits for its value. */
    @FunctionalInterface
    private interface Writing {
        Mono<Void> carryOut(Draft draft);
    }

    private Mono<Void> write(
            Operation operation,
            EntityQuery query,
            Draft draft,
            AskedQuorum asked,
            ServerHttpRequest request,
            ServerHttpResponse response,
            HttpStatus success) {
        long begun = System.nanoTime();
        Entrance entrance = admission.entrance(request);
        return entrance.admit(request, () -> operations.writes().write(query.key(), draft, asked))
                .flatMap(outcome -> {
                    wrote(entrance, operation, EntityAnswer.kindOf(outcome), begun);
                    return EntityAnswer.send(response, outcome, success);
                });
    }

    private void wrote(Entrance entrance, Operation operation, Outcome outcome, long begun) {
        if (outcome == Outcome.SUCCESS || outcome == Outcome.CONDITION_FAILED) {
            entrance.held(0); // Its value was counted when it arrived.
        }
        metrics.ended(operation, outcome, System.nanoTime() - begun);
    }

    private Mono<Void> change(
            Operation operation,
            EntityQuery query,
            Draft draft,
            Condition condition,
            ServerHttpRequest request,
            ServerHttpResponse response,
            HttpStatus success) {
        long begun = System.nanoTime();
        Entrance entrance = admission.entrance(request);
        return entrance.admit(request, () -> operations.registers().change(query.key(), draft, condition))
                .flatMap(outcome -> {
                    wrote(entrance, operation, EntityAnswer.kindOf(outcome), begun);
                    return EntityAnswer.send(response, outcome, success);
                });
    }

    private static Draft draft(DataBuffer value) {
        Draft draft = Draft.ofValue(value.readableByteCount());
        value.toByteBuffer(draft.value()); // The one copy between the socket and the storage.
        return draft;
    }
}
