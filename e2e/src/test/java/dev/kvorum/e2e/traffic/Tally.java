package dev.kvorum.e2e.traffic;

import dev.kvorum.e2e.client.Reply;
import dev.kvorum.e2e.client.Reply.Answered;
import dev.kvorum.e2e.client.Reply.Unanswered;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What came of the requests of a traffic. Any thread may use it. */
public final class Tally {
    /** Instead of a status. */
    public static final String NONE = "none";

    private static final int KEPT_MAX = 20;

    private final Map<String, Integer> outcomes = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private final Map<String, List<String>> toldRefusals = new TreeMap<>(); // By status.
    private final List<Long> nanos = new ArrayList<>();
    private final Map<String, Map<String, Integer>> refusals = new TreeMap<>(); // By the node that was asked first.
    private int requests;
    private int failed;

    /** What a node answered to a request that another was asked then. */
    synchronized void addRetry(String request, String node, Reply reply) {
        refusals.computeIfAbsent(node, any -> new TreeMap<>()).merge(outcome(reply), 1, Integer::sum);
        if (reply instanceof Answered) {
            List<String> kept = toldRefusals.computeIfAbsent(outcome(reply), any -> new ArrayList<>());
            if (kept.size() < KEPT_MAX) {
                kept.add(Instant.now() + " " + request + ": " + reply);
            }
        }
    }

    /** What a request came to in the end. */
    synchronized void add(String request, Reply reply) {
        requests++;
        nanos.add(reply.took().toNanos());
        outcomes.merge(outcome(reply), 1, Integer::sum);
        if (!reply.isServed()) {
            failed++;
            if (failures.size() < KEPT_MAX) {
                failures.add(request + ": " + reply);
            }
        }
    }

    private static String outcome(Reply reply) {
        return switch (reply) {
            case Answered answered -> Integer.toString(answered.status());
            case Unanswered unanswered -> NONE;
        };
    }

    /** A client that can't go on. */
    synchronized void addBroken(Throwable e) {
        failed++;
        failures.addFirst("a client has ended: " + e);
    }

    public synchronized int requests() {
        return requests;
    }

    /** How many were asked again of another node. */
    public synchronized int retried() {
        return refusals.values().stream()
                .flatMap(ofNode -> ofNode.values().stream())
                .mapToInt(Integer::intValue)
                .sum();
    }

    /** What the nodes asked first had answered, by node and status, where another was asked then; {@value #NONE} where no answer came. */
    public synchronized Map<String, Map<String, Integer>> refusals() {
        return new TreeMap<>(refusals);
    }

    /** The first of each status, in words: what the node said of its reasons. */
    public synchronized List<String> toldRefusals() {
        return toldRefusals.values().stream().flatMap(List::stream).toList();
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
        return requests + " requests " + outcomes + ", " + retried() + " asked again " + refusals + ", " + failed
                + " not served, p50 "
                + took(0.5).toMillis() + " ms, p99 " + took(0.99).toMillis() + " ms, longest "
                + took(1).toMillis() + " ms";
    }
}
