package dev.kvorum.node.http.client;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.clock.ClockObjection;
import dev.kvorum.node.clock.ClockSkew;
import dev.kvorum.node.clock.IssuedAhead;
import dev.kvorum.node.consensus.ChangeOutcome;
import dev.kvorum.node.consensus.ChangeOutcome.Fate;
import dev.kvorum.node.coordinator.ReadOutcome;
import dev.kvorum.node.coordinator.Shortfall;
import dev.kvorum.node.coordinator.WriteOutcome;
import dev.kvorum.node.http.Problem;
import dev.kvorum.node.http.RefusedRequestException;
import dev.kvorum.node.http.client.ClientMetrics.Outcome;
import dev.kvorum.node.quorum.Quorum;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import reactor.core.publisher.Mono;

/** From the outcome of an operation to its answer: status, receipt, body. */
final class EntityAnswer {
    static final String VERSION = "Kvorum-Version";
    static final String ACKS = "Kvorum-Acks";

    private static final byte[] ABSENT = Problem.of(HttpStatus.NOT_FOUND, "absent", "no value is stored under this id")
            .toJson();

    private EntityAnswer() {}

    static Outcome kindOf(ReadOutcome outcome) {
        return switch (outcome) {
            case ReadOutcome.Found found -> Outcome.SUCCESS;
            case ReadOutcome.Absent absent -> Outcome.ABSENT;
            case ReadOutcome.Unavailable unavailable -> Outcome.UNAVAILABLE;
            case ReadOutcome.TimedOut timedOut -> Outcome.TIMED_OUT;
            case ReadOutcome.Rejected rejected -> Outcome.REJECTED;
        };
    }

    static Outcome kindOf(WriteOutcome outcome) {
        return switch (outcome) {
            case WriteOutcome.Written written -> Outcome.SUCCESS;
            case WriteOutcome.Unavailable unavailable -> Outcome.UNAVAILABLE;
            case WriteOutcome.TimedOut timedOut -> Outcome.TIMED_OUT;
            case WriteOutcome.Rejected _, WriteOutcome.Unstamped _ -> Outcome.REJECTED;
        };
    }

    static Outcome kindOf(ChangeOutcome outcome) {
        return switch (outcome) {
            case ChangeOutcome.Written written -> Outcome.SUCCESS;
            case ChangeOutcome.ConditionFailed failed -> Outcome.CONDITION_FAILED;
            case ChangeOutcome.Unavailable unavailable -> Outcome.UNAVAILABLE;
            case ChangeOutcome.Overtaken overtaken -> Outcome.UNAVAILABLE;
            case ChangeOutcome.TimedOut timedOut -> Outcome.TIMED_OUT;
            case ChangeOutcome.Rejected rejected -> Outcome.REJECTED;
        };
    }

    static Mono<Void> send(ServerHttpResponse response, ReadOutcome outcome) {
        return switch (outcome) {
            case ReadOutcome.Found found -> {
                receipt(response, found.cell().version(), found.acks(), found.quorum());
                yield value(response, found.cell());
            }
            case ReadOutcome.Absent absent -> {
                receipt(response, absent.deleted(), absent.acks(), absent.quorum());
                yield Problem.sendJson(response, HttpStatus.NOT_FOUND, ABSENT);
            }
            case ReadOutcome.Unavailable(Shortfall shortfall) ->
                missed("quorum-unavailable", shortfall, "Too many replicas failed.")
                        .send(response);
            case ReadOutcome.TimedOut(Shortfall shortfall) ->
                missed("quorum-timed-out", shortfall, "The deadline passed before enough replicas answered.")
                        .send(response);
            case ReadOutcome.Rejected(Shortfall shortfall) -> overloaded(response, shortfall, "Nothing was read.");
        };
    }

    /** That its client has what was found already. */
    static Mono<Void> sendNotModified(ServerHttpResponse response, ReadOutcome.Found found) {
        receipt(response, found.cell().version(), found.acks(), found.quorum());
        response.getHeaders().setETag(etag(found.cell().version()));
        response.setStatusCode(HttpStatus.NOT_MODIFIED);
        return response.setComplete();
    }

    /** That what was found is not what its client asked for. */
    static Mono<Void> sendOther(ServerHttpResponse response, ReadOutcome.Found found) {
        Version version = found.cell().version();
        receipt(response, version, found.acks(), found.quorum());
        response.getHeaders().setETag(etag(version));
        return new Problem(
                        HttpStatus.PRECONDITION_FAILED,
                        "condition-failed",
                        "the value that is stored under this id does not meet the condition.",
                        Map.of("version", version.toString()))
                .send(response);
    }

    /** @param success what a write that reached its quorum is answered with */
    static Mono<Void> send(ServerHttpResponse response, WriteOutcome outcome, HttpStatus success) {
        return switch (outcome) {
            case WriteOutcome.Written written -> {
                receipt(response, written.version(), written.acks(), written.quorum());
                response.setStatusCode(success);
                response.getHeaders().setContentLength(0);
                yield response.setComplete();
            }
            case WriteOutcome.Unavailable(Shortfall shortfall) ->
                missed("quorum-unavailable", shortfall, "Too many replicas failed. " + unknown(shortfall))
                        .send(response);
            case WriteOutcome.TimedOut(Shortfall shortfall) ->
                missed(
                                "quorum-timed-out",
                                shortfall,
                                "The deadline passed before enough replicas answered. " + unknown(shortfall))
                        .send(response);
            case WriteOutcome.Rejected(Shortfall shortfall) -> overloaded(response, shortfall, unknown(shortfall));
            case WriteOutcome.Unstamped(ClockObjection why) -> unstamped(response, why);
        };
    }

    /** As above, of a linearizable or conditional write. */
    static Mono<Void> send(ServerHttpResponse response, ChangeOutcome outcome, HttpStatus success) {
        return switch (outcome) {
            case ChangeOutcome.Written written -> {
                receipt(response, written.version(), written.acks(), written.quorum());
                response.getHeaders().setETag(etag(written.version()));
                response.setStatusCode(success);
                response.getHeaders().setContentLength(0);
                yield response.setComplete();
            }
            case ChangeOutcome.ConditionFailed failed -> {
                receipt(response, failed.current(), failed.acks(), failed.quorum());
                yield conditionFailed(response, failed.current());
            }
            case ChangeOutcome.Unavailable(Shortfall shortfall, Fate fate) ->
                missed("quorum-unavailable", shortfall, "Too many replicas failed. " + inWords(fate))
                        .send(response);
            case ChangeOutcome.TimedOut(Shortfall shortfall, Fate fate) ->
                missed(
                                "quorum-timed-out",
                                shortfall,
                                "The deadline passed before a majority agreed: it is too slow, or too many write this key. "
                                        + inWords(fate))
                        .send(response);
            case ChangeOutcome.Overtaken(Shortfall shortfall) ->
                missed(
                                "outcome-unknown",
                                shortfall,
                                "Others have written since it was proposed, and it can't be told any more whether it was done before them. "
                                        + inWords(Fate.UNKNOWN))
                        .send(response);
            case ChangeOutcome.Rejected(Shortfall shortfall, Fate fate) ->
                overloaded(response, shortfall, inWords(fate));
        };
    }

    private static Mono<Void> conditionFailed(ServerHttpResponse response, @Nullable Version current) {
        if (current == null) {
            return Problem.of(
                            HttpStatus.PRECONDITION_FAILED,
                            "condition-failed",
                            "no value is stored under this id. Nothing was written.")
                    .send(response);
        }
        response.getHeaders().setETag(etag(current));
        return new Problem(
                        HttpStatus.PRECONDITION_FAILED,
                        "condition-failed",
                        "the value that is stored under this id does not meet the condition. Nothing was written.",
                        Map.of("version", current.toString()))
                .send(response);
    }

    private static String inWords(Fate fate) {
        return switch (fate) {
            case NOT_DONE -> "Nothing was written.";
            case UNKNOWN ->
                "The write is unknown, not failed: it may be done, or be yet. Read to see what became of it.";
        };
    }

    private static String etag(Version version) {
        return "\"" + version + "\"";
    }

    private static String unknown(Shortfall shortfall) {
        return "The write is unknown, not failed: " + shortfall.acks() + " of "
                + shortfall.quorum().from()
                + " replicas have confirmed it, others may have taken it, and readers may come to see it.";
    }

    private static void receipt(ServerHttpResponse response, @Nullable Version version, int acks, Quorum quorum) {
        HttpHeaders headers = response.getHeaders();
        if (version != null) {
            headers.set(VERSION, version.toString());
        }
        headers.set(ACKS, acks + "/" + quorum.from());
    }

    private static Mono<Void> value(ServerHttpResponse response, Cell cell) {
        response.setStatusCode(HttpStatus.OK);
        HttpHeaders headers = response.getHeaders();
        headers.setETag(etag(cell.version()));
        headers.setContentType(MediaType.APPLICATION_OCTET_STREAM);
        headers.setContentLength(cell.valueLength());
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(cell.value())));
    }

    private static Problem missed(String name, Shortfall shortfall, String detail) {
        return new Problem(HttpStatus.GATEWAY_TIMEOUT, name, detail, facts(shortfall));
    }

    private static Mono<Void> overloaded(ServerHttpResponse response, Shortfall shortfall, String fate) {
        response.getHeaders().set(HttpHeaders.RETRY_AFTER, RefusedRequestException.RETRY_AFTER_SECONDS);
        return new Problem(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "overloaded",
                        "Too much is waiting: try again later. " + fate,
                        facts(shortfall))
                .send(response);
    }

    private static Mono<Void> unstamped(ServerHttpResponse response, ClockObjection why) {
        response.getHeaders().set(HttpHeaders.RETRY_AFTER, RefusedRequestException.RETRY_AFTER_SECONDS);
        return switch (why) {
            case ClockSkew skew -> skewed(skew).send(response);
            case IssuedAhead issued -> issuedAhead(issued).send(response);
        };
    }

    private static Problem skewed(ClockSkew skew) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("clock", skew.own().toString());
        facts.put("clockOfMembers", skew.members().toString());
        return new Problem(
                HttpStatus.SERVICE_UNAVAILABLE,
                "clock-skew",
                "The clock of this node is wrong: " + skew.inWords()
                        + ", by the clocks of most members. Nothing was written: ask another node.",
                facts);
    }

    private static Problem issuedAhead(IssuedAhead issued) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("clock", issued.now().toString());
        facts.put("newestVersion", issued.newest().toString());
        return new Problem(
                HttpStatus.SERVICE_UNAVAILABLE,
                "versions-ahead",
                "The clock of this node was wrong: versions that it has issued are " + issued.inWords()
                        + ", and other members refuse later ones until that time has come. Nothing was written: ask another node. If most nodes"
                        + " answer so, the command restamp is the remedy.",
                facts);
    }

    private static Map<String, Object> facts(Shortfall shortfall) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("acks", shortfall.acks());
        facts.put("ack", shortfall.quorum().ack());
        facts.put("from", shortfall.quorum().from());
        facts.put("failures", failures(shortfall));
        return facts;
    }

    private static List<Map<String, String>> failures(Shortfall shortfall) {
        return shortfall.failures().stream()
                .map(failure -> Map.of(
                        "member", failure.member(), "reason", failure.reason().name(), "detail", failure.detail()))
                .toList();
    }
}
