package dev.kvorum.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Clients that write and read keys through several nodes, a request every few milliseconds, each tried twice at most, through another node the second time. Remembers what
 * was acknowledged, and what was answered wrongly.
 */
public final class SteadyLoad implements AutoCloseable {
    private static final int BURST = 50;
    private static final int READERS = 8; // After the load has ended.
    private static final long PAUSE_MILLIS = 4;
    private static final String FILLER = "0123456789".repeat(9);

    private final List<NodeProcess> nodes;
    private final int keys;
    private final Map<Integer, Integer> acknowledged = new ConcurrentHashMap<>();
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile List<NodeProcess> through;
    private @Nullable Thread client;

    public SteadyLoad(List<NodeProcess> nodes, int keys) {
        this.nodes = nodes;
        this.keys = keys;
        this.through = nodes;
    }

    public int keys() {
        return keys;
    }

    private static String key(int i) {
        return "steady-%06d".formatted(i);
    }

    private static String value(int i, int round) {
        return "%06d/%06d/".formatted(i, round) + FILLER;
    }

    /** Bytes of key and cell. */
    public int bytesPerCell() {
        return key(0).length() + Cell.HEADER_BYTES + value(0, 0).getBytes(StandardCharsets.UTF_8).length;
    }

    /** Writes every key once. */
    public void fill() {
        List<CompletableFuture<HttpResponse<byte[]>>> burst = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            burst.add(nodes.getFirst().client().putLater(key(i), value(i, 0), "3/3"));
            acknowledged.put(i, 0);
            if (burst.size() == BURST) {
                burst.forEach(answer -> assertThat(answer.join().statusCode()).isEqualTo(201));
                burst.clear();
            }
        }
        burst.forEach(answer -> assertThat(answer.join().statusCode()).isEqualTo(201));
    }

    /** From now on clients use these nodes alone. */
    public void only(int... indexes) {
        List<NodeProcess> some = new ArrayList<>();
        for (int index : indexes) {
            some.add(nodes.get(index));
        }
        through = some;
    }

    public void begin() {
        client = Thread.ofPlatform().name("steady-load").start(this::run);
    }

    private void run() {
        for (int i = 0; ; i++) {
            int key = Math.floorMod(i * 7919, keys);
            if (i % 2 == 0) {
                write(key, i);
            } else {
                read(key, i);
            }
            requests.incrementAndGet();
            if (hasEnded()) {
                return;
            }
        }
    }

    private boolean hasEnded() {
        try {
            return ended.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    private void write(int key, int round) {
        String failure = "";
        for (int attempt = 0; attempt < 2; attempt++) {
            try {
                HttpResponse<byte[]> answer = node(round + attempt).put(key(key), value(key, round), "2/3");
                if (answer.statusCode() == 201) {
                    acknowledged.merge(key, round, Math::max);
                    return;
                }
                failure += NodeClient.text(answer);
            } catch (UncheckedIOException e) {
                failure += e;
            }
        }
        complaints.add("PUT " + key(key) + ": " + failure);
    }

    private void read(int key, int round) {
        int known = acknowledged.getOrDefault(key, -1);
        String failure = "";
        for (int attempt = 0; attempt < 2; attempt++) {
            try {
                HttpResponse<byte[]> answer = node(round + attempt).get(key(key), "2/3");
                if (answer.statusCode() == 200 || answer.statusCode() == 404) {
                    requireAtLeast(key, known, answer);
                    return;
                }
                failure += NodeClient.text(answer);
            } catch (UncheckedIOException e) {
                failure += e;
            }
        }
        complaints.add("GET " + key(key) + ": " + failure);
    }

    private NodeClient node(int round) {
        List<NodeProcess> some = through;
        return some.get(round % some.size()).client();
    }

    private void requireAtLeast(int key, int known, HttpResponse<byte[]> answer) {
        int found = answer.statusCode() == 404
                ? -1
                : Integer.parseInt(NodeClient.text(answer).substring(7, 13));
        if (found < known) {
            complaints.add("GET " + key(key) + " found round " + found + " after " + known + " was acknowledged");
        }
    }

    /** Ends it, and waits for what is under way. */
    public void end() {
        ended.countDown();
        Thread running = client;
        if (running != null) {
            try {
                running.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Every key has at least what was acknowledged, and no client saw an error twice in a row. */
    public void assertNothingIsLost() {
        try (ExecutorService readers = Executors.newFixedThreadPool(READERS)) {
            CompletableFuture.allOf(IntStream.range(0, keys)
                            .mapToObj(key -> CompletableFuture.runAsync(() -> read(key, key), readers))
                            .toArray(CompletableFuture[]::new))
                    .join();
        }
        assertThat(complaints).as(requests + " requests").isEmpty();
        assertThat(requests.get()).isGreaterThan(100);
    }

    /** How many of all keys that node alone says it does not have; what it refuses to say does not count. */
    public int missedAlone(ClusterProcesses cluster, int node) {
        int missed = 0;
        for (int key = 0; key < keys; key += 10) {
            if (cluster.saysAbsent(node, key(key))) {
                missed++;
            }
        }
        return missed;
    }

    @Override
    public void close() {
        end();
    }
}
