package dev.kvorum.e2e.overload;

import dev.kvorum.e2e.client.RawConnection;
import dev.kvorum.e2e.cluster.Node;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Many clients of one node, each with a connection of its own on which it asks again at a fixed pace, whatever it is answered. What they write
 * is not recorded: nobody reads it.
 */
final class Crowd {
    private static final long NS_PER_MS = 1_000_000;

    private final Map<Integer, AtomicInteger> statuses = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Long> refusedAfterNanos = new ConcurrentLinkedQueue<>();
    private final AtomicInteger broken = new AtomicInteger();
    private final AtomicInteger refusedForGood = new AtomicInteger();

    private Crowd() {}

    /** Lets them ask for so long, and blocks until the last is answered. */
    static Crowd ask(Node node, int clients, Duration pace, Duration howLong, String query) {
        Crowd crowd = new Crowd();
        long end = System.nanoTime() + howLong.toNanos();
        List<Thread> threads = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
            long first = System.nanoTime() + pace.toNanos() * client / clients;
            String request = "PUT /v0/entity?id=crowd-" + client + query
                    + " HTTP/1.1\r\nHost: kvorum\r\nContent-Length: 5\r\n\r\nvalue";
            threads.add(Thread.ofVirtual().start(() -> crowd.run(node, request, first, pace, end)));
        }
        threads.forEach(Crowd::join);
        return crowd;
    }

    private void run(Node node, String request, long first, Duration pace, long end) {
        long due = first;
        while (System.nanoTime() < end) {
            try (RawConnection connection = RawConnection.to(node)) {
                while (System.nanoTime() < end) {
                    LockSupport.parkNanos(due - System.nanoTime());
                    long begin = System.nanoTime();
                    connection.send(request);
                    count(connection.answer(), System.nanoTime() - begin);
                    due = Math.max(due + pace.toNanos(), System.nanoTime());
                }
            } catch (IOException e) {
                broken.incrementAndGet(); // A crowd comes back on another connection.
                due = System.nanoTime() + pace.toNanos();
            }
        }
    }

    private void count(RawConnection.Head answer, long nanos) {
        statuses.computeIfAbsent(answer.status(), any -> new AtomicInteger()).incrementAndGet();
        if (answer.status() == 503) {
            refusedAfterNanos.add(nanos);
            if (!answer.saysWhenToRetry()) {
                refusedForGood.incrementAndGet();
            }
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    int of(int status) {
        AtomicInteger count = statuses.get(status);
        return count == null ? 0 : count.get();
    }

    Set<Integer> statuses() {
        return new TreeSet<>(statuses.keySet());
    }

    /** Connections that ended before the answer. */
    int broken() {
        return broken.get();
    }

    /** Of the refused, those that were not told when to come again. */
    int refusedForGood() {
        return refusedForGood.get();
    }

    /**
     * In how many milliseconds that part of the refused had been told.
     *
     * @param quantile 0 to 1
     */
    long refusedWithinMs(double quantile) {
        List<Long> sorted = refusedAfterNanos.stream().sorted().toList();
        return sorted.isEmpty() ? 0 : sorted.get((int) ((sorted.size() - 1) * quantile)) / NS_PER_MS;
    }

    @Override
    public String toString() {
        return statuses + ", " + broken + " connections broken, refused within " + refusedWithinMs(0.5)
                + " ms (median), " + refusedWithinMs(0.99) + " ms (p99)";
    }
}
