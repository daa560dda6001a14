package dev.kvorum.load.chaos;

import dev.kvorum.history.check.Anomaly;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What came of a run.
 *
 * @param anomalies  promises that were broken
 * @param complaints what else should not happen, whatever the faults
 * @param identical  how long after the end all replicas were identical; empty if they were not in time
 * @param numbers    what was done and seen, for people
 * @param faults     the fault log
 */
public record ChaosVerdict(
        ChaosOptions options,
        List<Anomaly> anomalies,
        List<String> complaints,
        Optional<Duration> identical,
        String numbers,
        List<String> faults) {
    private static final int SHOWN_MAX = 10;
    private static final double MILLIS_PER_SECOND = 1000;

    public ChaosVerdict {
        anomalies = List.copyOf(anomalies);
        complaints = List.copyOf(complaints);
        faults = List.copyOf(faults);
    }

    public boolean isGood() {
        return anomalies.isEmpty() && complaints.isEmpty() && identical.isPresent();
    }

    /** What kinds of things are wrong, in a few words. */
    private String inShort() {
        Stream<String> kinds =
                anomalies.stream().map(Anomaly::kind).sorted().distinct().map(Anomaly.Kind::inWords);
        Stream<String> complaint = complaints.isEmpty() ? Stream.empty() : Stream.of("complaints");
        String all = Stream.concat(kinds, complaint).collect(Collectors.joining(", "));
        return isGood() ? "GOOD" : "BROKEN: " + all;
    }

    /** For people: what is wrong, what happened, and how to see it again. */
    String report() {
        StringBuilder report = new StringBuilder();
        report.append("chaos, seed ")
                .append(options.seed())
                .append(", ")
                .append(options.length().toSeconds());
        report.append(" s, ")
                .append(options.size().nodes())
                .append(" nodes: ")
                .append(inShort())
                .append('\n');
        report.append(numbers);
        report.append(identical
                .map(after -> String.format(
                        Locale.ROOT,
                        "  all replicas were identical %.1f s after the end%n",
                        after.toMillis() / MILLIS_PER_SECOND))
                .orElse("  replicas were NOT identical in time\n"));
        append(report, anomalies.stream().map(Anomaly::toString).toList());
        append(report, complaints);
        if (isGood()) {
            report.append(
                    "  no acknowledged write lost or hidden, no deleted key back, no stale read where quorums overlap\n");
        }
        report.append("again: make chaos SEED=").append(options.seed());
        report.append(" DURATION=").append(options.length().toSeconds()).append("s");
        if (!options.named().isEmpty()) {
            report.append(" FAULTS=")
                    .append(options.faults().stream().map(Enum::name).collect(Collectors.joining(",")));
        }
        report.append('\n');
        return report.append("all that remains: ")
                .append(options.folder())
                .append('\n')
                .toString();
    }

    private static void append(StringBuilder report, List<String> wrong) {
        wrong.stream()
                .limit(SHOWN_MAX)
                .forEach(words -> report.append("  ! ").append(words).append('\n'));
        if (wrong.size() > SHOWN_MAX) {
            report.append("  ! and ").append(wrong.size() - SHOWN_MAX).append(" more\n");
        }
    }
}
