package dev.kvorum.e2e.client;

import dev.kvorum.e2e.client.Reply.Answered;
import dev.kvorum.e2e.client.Reply.Unanswered;
import dev.kvorum.e2e.cluster.Cluster;
import dev.kvorum.e2e.record.Endpoint;
import dev.kvorum.e2e.record.Recorder;
import dev.kvorum.history.Answer;
import dev.kvorum.history.Answer.Outcome;
import dev.kvorum.history.Operation;
import dev.kvorum.history.Request;
import dev.kvorum.history.Request.Kind;
import dev.kvorum.history.Request.Mode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One client, which does one thing at a time, through whichever node it is told to. What it asked and what it was answered goes into the
 * record of its cluster; values must differ there.
 */
public final class EntityClient {
    /** Longer than any request may take by the settings of these clusters. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(15);

    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();

    private final Recorder recorder;
    private final int number;

    public EntityClient(Cluster cluster) {
        this(cluster.recorder());
    }

    public EntityClient(Recorder recorder) {
        this.recorder = recorder;
        number = recorder.nextClient();
    }

    public Reply put(Endpoint node, String key, String value, Quorum quorum) {
        HttpRequest.Builder request = to(node, key, quorum).PUT(BodyPublishers.ofString(value));
        return perform(
                node, request, new Request(Kind.WRITE, Mode.QUORUM, key, unpadded(value), quorum.ack(), quorum.from()));
    }

    public Reply get(Endpoint node, String key, Quorum quorum) {
        return perform(
                node,
                to(node, key, quorum).GET(),
                new Request(Kind.READ, Mode.QUORUM, key, null, quorum.ack(), quorum.from()));
    }

    public Reply delete(Endpoint node, String key, Quorum quorum) {
        return perform(
                node,
                to(node, key, quorum).DELETE(),
                new Request(Kind.DELETE, Mode.QUORUM, key, null, quorum.ack(), quorum.from()));
    }

    /** A name that no other client gives to what it writes. */
    public String fresh(String sequence) {
        return "c" + number + "-" + sequence;
    }

    /** Long values are a name and dashes; the record has the name. */
    private static String unpadded(String value) {
        int end = value.length();
        while (end > 0 && value.charAt(end - 1) == '-') {
            end--;
        }
        return value.substring(0, end);
    }

    private static HttpRequest.Builder to(Endpoint node, String key, Quorum quorum) {
        String query = "/v0/entity?id=" + URLEncoder.encode(key, StandardCharsets.UTF_8) + "&ack=" + quorum.ack()
                + "&from=" + quorum.from();
        return HttpRequest.newBuilder(URI.create(node.api() + query)).timeout(ANSWER_MAX);
    }

    private Reply perform(Endpoint node, HttpRequest.Builder request, Request asked) {
        long invoked = recorder.now();
        Reply reply = send(request.build());
        recorder.add(new Operation(
                number,
                node.id(),
                Operation.LIFE_UNKNOWN,
                asked,
                answer(asked, reply),
                invoked,
                invoked + reply.took().toNanos()));
        return reply;
    }

    private static Reply send(HttpRequest request) {
        long begin = System.nanoTime();
        try {
            HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            return new Answered(
                    response.statusCode(),
                    response.body(),
                    header(response, "Kvorum-Version"),
                    header(response, "Kvorum-Acks"),
                    header(response, "Retry-After"),
                    Duration.ofNanos(System.nanoTime() - begin));
        } catch (IOException e) {
            return new Unanswered(e.toString(), Duration.ofNanos(System.nanoTime() - begin));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Unanswered("interrupted", Duration.ofNanos(System.nanoTime() - begin));
        }
    }

    private static @Nullable String header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElse(null);
    }

    /** As the API says: a write without success is unknown, not failed, unless it was refused as malformed. */
    private static Answer answer(Request asked, Reply reply) {
        if (!(reply instanceof Answered answered)) {
            return asked.isRead() ? Answer.failed() : Answer.unknown();
        }
        return switch (answered.status()) {
            case 200 -> new Answer(Outcome.OK, unpadded(answered.body()), answered.version());
            case 201, 202, 404 -> new Answer(Outcome.OK, null, answered.version());
            default -> asked.isRead() || answered.status() < 500 ? Answer.failed() : Answer.unknown();
        };
    }
}
