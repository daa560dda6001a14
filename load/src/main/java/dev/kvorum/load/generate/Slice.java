package dev.kvorum.load.generate;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * The requests that ended within some time. Histograms are in microseconds; those of {@code done} hold exactly the requests counted as
 * {@link Outcome#DONE}.
 *
 * @param done     latency by operation of requests with the wanted answer
 * @param sizes    the same by length of the value in bytes; empty unless there are several
 * @param refused  latency of refusals
 * @param lags     how late requests were begun
 * @param statuses requests by HTTP status; 0 for those without an answer
 */
public record Slice(
        Map<Operation, Histogram> done,
        Map<Integer, Histogram> sizes,
        Histogram refused,
        Histogram lags,
        Map<Outcome, Long> outcomes,
        Map<Integer, Long> statuses) {

    public static Slice empty() {
        return new Slice(
                new EnumMap<>(Operation.class),
                new TreeMap<>(),
                histogram(),
                histogram(),
                new EnumMap<>(Outcome.class),
                new TreeMap<>());
    }

    public static Histogram histogram() {
        return new Histogram(1, LatencySeries.MICROS_MAX, LatencySeries.DIGITS);
    }

    /** Adds another's requests to this one's. */
    public void add(Slice other) {
        other.done.forEach((operation, histogram) ->
                done.computeIfAbsent(operation, _ -> histogram()).add(histogram));
        other.sizes.forEach((bytes, histogram) ->
                sizes.computeIfAbsent(bytes, _ -> histogram()).add(histogram));
        refused.add(other.refused);
        lags.add(other.lags);
        other.outcomes.forEach((outcome, count) -> outcomes.merge(outcome, count, Long::sum));
        other.statuses.forEach((status, count) -> statuses.merge(status, count, Long::sum));
    }

    public long count(Outcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }

    /** Requests that ended, well or not. */
    public long ended() {
        return outcomes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Requests that ended neither with the wanted answer nor with a refusal. */
    public long errors() {
        return ended() - count(Outcome.DONE) - count(Outcome.REFUSED);
    }

    /** Latency of all operations with the wanted answer; not to be changed. */
    public Histogram allDone() {
        if (done.size() == 1) {
            return done.values().iterator().next();
        }
        Histogram all = histogram();
        done.values().forEach(all::add);
        return all;
    }
}
