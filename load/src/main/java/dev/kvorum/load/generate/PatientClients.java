package dev.kvorum.load.generate;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Clients that do as they are told, beside others that don't: who is refused asks again when {@code Retry-After} has passed, who is answered after a tenth of a second. Each
 * has a connection and a virtual thread of its own, as a connection on which another was refused may rest.
 */
public final class PatientClients implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Queue<Reply> replies = new ConcurrentLinkedQueue<>();
    private final List<Future<?>> ends = new ArrayList<>();

    /**
     * What one was told.
     *
     * @param endedMillis when, since 1970
     * @param micros how long it had waited
     * @param outcome whether that was what it wanted, a refusal, or neither
     */
    public record Reply(long endedMillis, long micros, Outcome outcome) {}

    private PatientClients() {}

    /** @param stretches what each client asks for, and of whom; its pace and length are not heeded */
    public static PatientClients start(List<Stretch> stretches) {
        PatientClients clients = new PatientClients();
        for (Stretch stretch : stretches) {
            int client = clients.ends.size();
            URI target = stretch.targets().get(client % stretch.targets().size());
            clients.ends.add(clients.threads.submit(() -> {
                clients.run(stretch, target);
                return client;
            }));
        }
        return clients;
    }

    private void run(Stretch stretch, URI target) throws InterruptedException {
        try (HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .executor(threads)
                .build()) {
            Duration pause;
            do {
                pause = ask(http, stretch, target);
            } while (!stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS));
        }
    }

    /** Returns how long it then has to wait. */
    private Duration ask(HttpClient http, Stretch stretch, URI target) throws InterruptedException {
        Traffic traffic = stretch.traffic();
        Operation operation = traffic.nextOperation();
        long key = traffic.keys().next();
        HttpRequest request = HttpRequest.newBuilder(target.resolve(traffic.path(key)))
                .timeout(stretch.timeout())
                .method(operation.name(), body(operation, traffic, key))
                .build();
        long begun = System.nanoTime();
        try {
            HttpResponse<Void> response = http.send(request, BodyHandlers.discarding());
            Outcome outcome = Outcome.of(operation, response.statusCode(), traffic.deletes());
            told(begun, outcome);
            return outcome == Outcome.REFUSED ? Duration.ofSeconds(retryAfter(response)) : PAUSE;
        } catch (HttpTimeoutException e) {
            told(begun, Outcome.TIMED_OUT);
        } catch (IOException e) {
            told(begun, Outcome.LOST);
        }
        return PAUSE;
    }

    private void told(long begun, Outcome outcome) {
        long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun);
        replies.add(new Reply(System.currentTimeMillis(), micros, outcome));
    }

    private static BodyPublisher body(Operation operation, Traffic traffic, long key) {
        if (operation != Operation.PUT) {
            return BodyPublishers.noBody();
        }
        byte[] value = new byte[traffic.values().bytes(key)];
        traffic.random().nextBytes(value);
        return BodyPublishers.ofByteArray(value);
    }

    private static long retryAfter(HttpResponse<Void> refusal) {
        return refusal.headers()
                .firstValueAsLong("Retry-After")
                .orElseThrow(() -> new GeneratorFailed("a 503 of " + refusal.uri() + " has no Retry-After", null));
    }

    /**
     * Ends them when each has its answer.
     *
     * @return all that they were told
     * @throws GeneratorFailed if one of them was refused without a {@code Retry-After}
     */
    public List<Reply> stop() throws InterruptedException {
        stopped.countDown();
        try {
            for (Future<?> end : ends) {
                end.get();
            }
        } catch (ExecutionException e) {
            throw new GeneratorFailed("A patient client ended early: " + e.getCause(), e.getCause());
        }
        return List.copyOf(replies);
    }

    /** As {@link #stop}, at once. */
    @Override
    public void close() {
        stopped.countDown();
        threads.shutdownNow();
        threads.close();
    }
}
