package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.Fault;
import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.cluster.TestCluster;
import io.micrometer.core.instrument.Gauge;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** More than a node can serve: of operations, connections, pipelined requests and answers that nobody takes. */
@Tag("check")
@Timeout(60)
class OverloadIT {
    private static final int IN_FLIGHT_MAX = 64;
    private static final int CONNECTIONS_MAX = 100;
    private static final int VALUE_BYTES = 900_000;
    private static final long BODIES_MAX = 8 << 20;
    private static final long TAKEN_MAX = 32 << 20; // Beyond what the buffers of both systems hold, some MiB each.

    @TempDir
    static Path directory;

    static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(
                directory,
                2,
                "--kvorum.http.event-loops=1",
                "--kvorum.http.in-flight-max=" + IN_FLIGHT_MAX,
                "--kvorum.http.burst=20ms",
                "--kvorum.http.connections-max=" + CONNECTIONS_MAX,
                "--kvorum.http.bodies=" + BODIES_MAX + "B",
                "--kvorum.http.answer-timeout=10m",
                "--kvorum.peer.timeout=15s",
                "--kvorum.peer.silence-max=60s",
                "--kvorum.quorum.deadline=15s");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void recovered() {
        eventually(
                "it serves again, and as many at a time as before, though answers were long",
                () -> cluster.node(0).client().put("recovered", "yes", "1/1").statusCode() == 201
                        && gauge("kvorum.client.in.flight.max") == IN_FLIGHT_MAX);
    }

    private static double gauge(String name) {
        return cluster.node(0).meters().get(name).gauge().value();
    }

    private static long reads(String outcome) {
        return cluster.node(0)
                .meters()
                .get("kvorum.client.operations")
                .tags("operation", "read", "outcome", outcome)
                .timer()
                .count();
    }

    @Test
    void operationsBeyondTheLimitAreRefusedUntilOthersEnd() {
        cluster.node(0).client().put("busy", "yes", "2/2");
        double overloadedBefore = cluster.node(0).counted("kvorum.client.overloaded");
        double refusedBefore = cluster.node(0).counted("kvorum.client.refused");
        List<CompletableFuture<HttpResponse<byte[]>>> stuck;
        try (Fault frozen = cluster.node(1).proxy().freeze()) {
            stuck = IntStream.range(0, IN_FLIGHT_MAX)
                    .mapToObj(i -> cluster.node(0).client().getLater("busy", "2/2"))
                    .toList();
            eventually("all are under way", () -> gauge("kvorum.client.in.flight") == IN_FLIGHT_MAX);

            HttpResponse<byte[]> read = cluster.node(0).client().get("busy", "1/1");
            HttpResponse<byte[]> write = cluster.node(0).client().put("refused", "never stored", "1/1");

            assertThat(read.statusCode()).isEqualTo(503);
            assertThat(read.headers().firstValue("Retry-After")).contains("1");
            assertThat(read.headers().firstValue("Connection")).isEmpty();
            assertThat(text(read)).contains("urn:kvorum:problem:overloaded");
            assertThat(write.statusCode()).isEqualTo(503);
            assertThat(write.headers().firstValue("Connection")).isEmpty();
            assertThat(cluster.node(0).counted("kvorum.client.overloaded")).isEqualTo(overloadedBefore + 2);
            assertThat(cluster.node(0).counted("kvorum.client.refused")).isEqualTo(refusedBefore);
        }

        assertThat(stuck)
                .allSatisfy(read -> assertThat(read.join().statusCode()).isEqualTo(200));
        assertThat(cluster.node(0).client().get("refused", "1/1").statusCode()).isEqualTo(404);
    }

    @Test
    void connectionOnTopIsAnsweredAndClosed() throws IOException {
        double refusedBefore = cluster.node(0).counted("kvorum.connections.refused");
        List<Socket> open = new ArrayList<>();
        RawClient raw = new RawClient(cluster.node(0).apiPort());
        try {
            while (cluster.node(0).counted("kvorum.connections.refused") == refusedBefore) {
                open.add(raw.open());
                LockSupport.parkNanos(1_000_000); // The kernel accepts connections faster than the node refuses them.
                assertThat(open).hasSizeLessThanOrEqualTo(CONNECTIONS_MAX + 1000);
            }
            assertThat(raw.untilClosed("")).startsWith("HTTP/1.1 503").contains("Retry-After: 1");
            assertThat(gauge("kvorum.http.connections")).isLessThanOrEqualTo(CONNECTIONS_MAX);
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
        eventually("all are counted out", () -> gauge("kvorum.http.connections") < CONNECTIONS_MAX);
    }

    /** All that have room are decided at once, and by threads of the storage: they may not pass the bound together either. */
    @Test
    void answersThatNobodyTakesAreBoundedAndMakeRoomForOthers() throws IOException {
        assertThat(cluster.node(0)
                        .client()
                        .put("large", new byte[VALUE_BYTES], "1/1")
                        .statusCode())
                .isEqualTo(201);
        List<Socket> idle = new ArrayList<>();
        try (HighestTaken highest = new HighestTaken()) {
            while (idle.size() < 120 && gauge("kvorum.http.body.bytes") <= BODIES_MAX - VALUE_BYTES) {
                IntStream.range(0, 30).forEach(i -> idle.add(asksWithoutReading("large")));
                atRest();
            }
            assertThat(highest.bytes()).isBetween(BODIES_MAX / 2, BODIES_MAX);

            eventually(
                    "clients that take nothing are given up",
                    () -> cluster.node(0).client().get("large", "1/1").statusCode() == 200);
            assertThat(cluster.node(0).counted("kvorum.http.answers.untaken")).isPositive();
            assertThat(highest.bytes()).isLessThanOrEqualTo(BODIES_MAX);
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
        eventually("all room is given back", () -> gauge("kvorum.http.body.bytes") == 0);
    }

    private static Socket asksWithoutReading(String key) {
        String get = "GET /v0/entity?id=" + key + "&ack=1&from=1 HTTP/1.1\r\nHost: x\r\n\r\n";
        try {
            Socket socket = new RawClient(cluster.node(0).apiPort()).openNarrow();
            socket.getOutputStream().write(get.repeat(8).getBytes(StandardCharsets.US_ASCII));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until no request has been answered for a second: those that are left stand behind an answer that nobody takes. */
    private static void atRest() {
        AtomicLong seen = new AtomicLong(-1);
        AtomicLong seenAt = new AtomicLong();
        eventually("no more requests are answered", () -> {
            long answered = reads("success") + (long) cluster.node(0).counted("kvorum.client.overloaded");
            if (seen.getAndSet(answered) != answered) {
                seenAt.set(System.nanoTime());
            }
            return gauge("kvorum.client.in.flight") == 0
                    && System.nanoTime() - seenAt.get() > Duration.ofSeconds(1).toNanos();
        });
    }

    /** Looks at the bytes taken as often as it can. */
    private static final class HighestTaken implements AutoCloseable {
        private final AtomicBoolean isOver = new AtomicBoolean();
        private final AtomicLong highest = new AtomicLong();
        private final Gauge taken =
                cluster.node(0).meters().get("kvorum.http.body.bytes").gauge();
        private final CompletableFuture<Void> watching = CompletableFuture.runAsync(() -> {
            while (!isOver.get()) {
                highest.accumulateAndGet((long) taken.value(), Math::max);
                LockSupport.parkNanos(1000);
            }
        });

        long bytes() {
            return highest.get();
        }

        @Override
        public void close() {
            isOver.set(true);
            watching.join();
        }
    }

    @Test
    void requestsPipelinedWithoutEndAreNotRead() throws IOException {
        cluster.node(0).client().put("piped", "yes", "2/2");
        byte[] gets = "GET /v0/entity?id=piped&ack=2&from=2 HTTP/1.1\r\nHost: x\r\n\r\n"
                .repeat(1000)
                .getBytes(StandardCharsets.US_ASCII);
        try (Fault frozen = cluster.node(1).proxy().freeze();
                Socket socket = new RawClient(cluster.node(0).apiPort()).open()) {
            assertThat(takenUntilStuck(socket, gets)).isLessThan(TAKEN_MAX);
        }
    }

    /** How many bytes the other side takes before it takes none for a second; no more than are enough to see that it takes all. */
    private static long takenUntilStuck(Socket socket, byte[] bytes) {
        AtomicLong sent = new AtomicLong();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            try {
                while (sent.get() < TAKEN_MAX) {
                    socket.getOutputStream().write(bytes);
                    sent.addAndGet(bytes.length);
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        AtomicLong seen = new AtomicLong(-1);
        AtomicLong seenAt = new AtomicLong();
        eventually("it is stuck or has sent all", () -> {
            if (seen.getAndSet(sent.get()) != seen.get()) {
                seenAt.set(System.nanoTime());
            }
            return writing.isDone()
                    || System.nanoTime() - seenAt.get() > Duration.ofSeconds(1).toNanos();
        });
        return sent.get();
    }
}
