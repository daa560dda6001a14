package dev.kvorum.simulation.verdict;

import dev.kvorum.history.History;
import dev.kvorum.history.check.Anomaly;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What came of a seed.
 *
 * @param bugs what must not happen whatever the faults
 * @param anomalies promises that were broken
 * @param faults the fault log
 * @param kind of simulation, as {@code make simulate} calls it; empty for the usual one
 */
public record Verdict(
        long seed,
        List<String> bugs,
        List<Anomaly> anomalies,
        Faults faults,
        History history,
        Course course,
        String kind) {
    private static final int SHOWN_MAX = 5;
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * What went wrong on purpose.
     *
     * @param lines each beginning and end, in words
     * @param planned how many there are, also those that were left out
     */
    public record Faults(List<String> lines, int planned) {}

    /**
     * How the run went.
     *
     * @param hash of all that happened: equal for equal runs
     * @param virtualNanos how much virtual time passed
     * @param events how many events happened
     */
    public record Course(long hash, long virtualNanos, long events) {}

    public boolean isGood() {
        return bugs.isEmpty() && anomalies.isEmpty();
    }

    /** What kinds of things are wrong, in a few words. */
    public String inShort() {
        Stream<String> kinds =
                anomalies.stream().map(Anomaly::kind).sorted().distinct().map(Anomaly.Kind::inWords);
        String all = Stream.concat(bugs.isEmpty() ? Stream.empty() : Stream.of("bug"), kinds)
                .collect(Collectors.joining(", "));
        return all.isEmpty() ? "good" : all;
    }

    private Stream<String> complaints() {
        return Stream.concat(
                bugs.stream().map(bug -> "a bug: " + bug), anomalies.stream().map(Anomaly::toString));
    }

    /** For people: the seed, what is wrong, what had gone wrong before, and how to see it again. */
    public String report() {
        StringBuilder report = new StringBuilder();
        report.append("seed ").append(seed).append(": ").append(inShort()).append('\n');
        report.append(String.format(
                Locale.ROOT,
                "  %d operations, %d events, %.1f virtual seconds, hash %016x%n",
                history.operations().size(),
                course.events,
                course.virtualNanos / NANOS_PER_SECOND,
                course.hash));
        complaints()
                .limit(SHOWN_MAX)
                .forEach(complaint -> report.append("  ").append(complaint).append('\n'));
        report.append("faults, by virtual seconds:\n");
        faults.lines.forEach(line -> report.append("  ").append(line).append('\n'));
        report.append("to replay it with its full trace:\n  make simulate SEED=")
                .append(seed)
                .append(kind.isEmpty() ? "" : " KIND=" + kind)
                .append('\n');
        return report.toString();
    }
}
