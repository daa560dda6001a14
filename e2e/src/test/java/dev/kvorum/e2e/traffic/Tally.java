package dev.kvorum.e2e.traffic;

import dev.kvorum.e2e.client.Reply;
import dev.kvorum.e2e.client.Reply.Answered;
import dev.kvorum.e2e.client.Reply.Unanswered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What came of the requests of a traffic. Any thread may use it. */
public final class Tally {
    private static final int FAILURES_KEPT_MAX = 20;

    private final Map<String, Integer> outcomes = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private final List<Long> nanos = new ArrayList<>();
    private int requests;
    private int retried;
    private int failed;

    synchronized void addRetry() {
        retried++;
    }

    /** What a request came to in the end. */
    synchronized void add(String request, Reply reply) {
        requests++;
        nanos.add(reply.took().toNanos());
        outcomes.merge(
                switch (reply) {
                    case Answered answered -> Integer.toString(answered.status());
                    case Unanswered unanswered -> "none";
                },
                1,
                Integer::sum);
        if (!reply.isServed()) {
            failed++;
            if (failures.size() < FAILURES_KEPT_MAX) {
                failures.add(request + ": " + reply);
            }
        }
    }

    public synchronized int requests() {
        return requests;
    }

    /** How many were asked again of another node. */
    public synchronized int retried() {
        return retried;
    }

    /** How many were not served in the end. */
    public synchronized int failed() {
        return failed;
    }

    /** The first of them, in words. */
    public synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    /** How many had that status. */
    public synchronized int of(int status) {
        return outcomes.getOrDefault(Integer.toString(status), 0);
    }

    /** @param quantile 0 to 1 */
    public synchronized Duration took(double quantile) {
        if (nanos.isEmpty()) {
            return Duration.ZERO;
        }
        List<Long> sorted = nanos.stream().sorted().toList();
        return Duration.ofNanos(sorted.get((int) Math.min(sorted.size() - 1L, (long) (sorted.size() * quantile))));
    }

    @Override
    public synchronized String toString() {
        return requests + " requests " + outcomes + ", " + retried + " asked again, " + failed + " not served, p50 "
                + took(0.5).toMillis() + " ms, p99 " + took(0.99).toMillis() + " ms, longest "
                + took(1).toMillis() + " ms";
    }
}
