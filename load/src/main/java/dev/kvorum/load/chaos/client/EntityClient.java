package dev.kvorum.load.chaos.client;

import dev.kvorum.history.Answer;
import dev.kvorum.history.Answer.Outcome;
import dev.kvorum.history.Operation;
import dev.kvorum.history.Request;
import dev.kvorum.history.Request.Mode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Sends requests to nodes, and tells of each what came of it, as an operation of a history. Any thread. */
final class EntityClient implements AutoCloseable {
    private static final Duration CONNECT_MAX = Duration.ofSeconds(1);
    private static final String VERSION = "Kvorum-Version";
    private static final int DETAIL_MAX = 300;

    /** In the detail of a problem, as docs/api.md says. From then on the write must never show. */
    private static final String NOTHING_WRITTEN = "Nothing was written";

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_MAX)
            .build();
    private final Duration patience;
    private final LongSupplier nanos;
    private final Consumer<String> surprises;

    /**
     * @param patience how long it waits for an answer
     * @param nanos    since the beginning of the history
     * @param surprises answers that no fault explains, in words
     */
    EntityClient(Duration patience, LongSupplier nanos, Consumer<String> surprises) {
        this.patience = patience;
        this.nanos = nanos;
        this.surprises = surprises;
    }

    /** Completes with what came of it, never with an exception. */
    CompletableFuture<Operation> send(int client, Target target, Draw draw) {
        HttpRequest request = request(target.api(), draw);
        int life = target.life().getAsInt();
        long invoked = nanos.getAsLong();
        return http.sendAsync(request, BodyHandlers.ofString()).handle((response, failure) -> {
            Answer answer =
                    failure == null ? answer(target.id(), draw.request(), response) : answerOf(target.id(), failure);
            long returned = nanos.getAsLong();
            int served = target.life().getAsInt() == life ? life : Operation.LIFE_UNKNOWN;
            return new Operation(client, target.id(), served, draw.request(), answer, invoked, returned);
        });
    }

    private HttpRequest request(URI api, Draw draw) {
        Request request = draw.request();
        String quorum = draw.saysQuorum() ? "&ack=" + request.ack() + "&from=" + request.from() : "";
        String mode = request.mode() == Mode.LINEARIZABLE ? "&consistency=linearizable" : "";
        HttpRequest.Builder http = HttpRequest.newBuilder(api.resolve("/v0/entity?id=" + request.key() + quorum + mode))
                .timeout(patience);
        HttpRequest.Builder asked = switch (request.kind()) {
            case READ -> http.GET();
            case WRITE -> http.PUT(BodyPublishers.ofString(Payload.of(Objects.requireNonNull(request.value()))));
            case DELETE -> http.DELETE();
        };
        return asked.build();
    }

    private Answer answer(String node, Request request, HttpResponse<String> response) {
        String version = response.headers().firstValue(VERSION).orElse(null);
        return switch (response.statusCode()) {
            case 200 -> ok(Payload.tagOf(response.body()), version);
            case 201, 202 -> ok(null, version);
            case 404 -> ok(null, version);
            // A write that is refused by some replicas may have been taken by others: unless the node says that nobody
            // took it.
            case 503, 504 -> response.body().contains(NOTHING_WRITTEN) ? Answer.failed() : Answer.unknown();
            default -> {
                String body = response.body();
                surprises.accept(node + " answered " + response.statusCode() + " to " + request + ": "
                        + body.substring(0, Math.min(DETAIL_MAX, body.length())));
                yield Answer.unknown();
            }
        };
    }

    private static Answer ok(@Nullable String value, @Nullable String version) {
        return new Answer(Outcome.OK, value, version);
    }

    private Answer answerOf(String node, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return switch (cause) {
            // Nothing was sent.
            case ConnectException _, HttpConnectTimeoutException _ -> Answer.failed();
            case IOException _ -> Answer.unknown();
            default -> {
                surprises.accept("a request to " + node + " ended in " + cause);
                yield Answer.unknown();
            }
        };
    }

    @Override
    public void close() {
        http.shutdownNow();
        http.close();
    }
}
