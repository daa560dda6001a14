package dev.kvorum.node.command;

import dev.kvorum.control.ClusterReport;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangePlan;
import dev.kvorum.topology.change.ChangePlan.Move;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.MemberReport.Loss;
import dev.kvorum.topology.change.UnwritablePartitions;
import dev.kvorum.topology.text.ControlCharacters;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a command shows: words for a person, a line for each thing that happens. Control characters in the words of nodes are escaped. */
final class Screen {
    private static final long KIB = 1024;

    private final PrintStream out;
    private String last = "";
    private String lastUnwritable = "";

    Screen(PrintStream out) {
        this.out = out;
    }

    void say(String line) {
        if (!line.equals(last)) { // What has not changed is not repeated.
            out.println(escaped(line));
            out.flush();
        }
        last = line;
    }

    /** One line, of which a terminal obeys nothing. */
    static String escaped(String line) {
        return ControlCharacters.escaped(line, "");
    }

    void plan(ChangePlan.Accepted plan) {
        for (Move move : plan.moves()) {
            say("%s gets %d partitions, about %s, at most %s/s"
                    .formatted(move.member(), move.partitions(), size(move.bytes()), size(move.bytesPerSecondMax())));
        }
        say(
                "In all about %s, in about %d s at those limits, longer while processors are busy; the cluster serves meanwhile."
                        .formatted(size(plan.bytes()), Math.max(1, plan.seconds())));
    }

    void progress(Collection<MemberReport> reports, String what) {
        long verified = 0;
        long partitions = 0;
        long bytes = 0;
        long rate = 0;
        for (MemberReport report : reports) {
            verified += report.transfer().verified();
            partitions += report.transfer().partitions();
            bytes += report.transfer().bytes();
            rate += report.transfer().bytesPerSecond();
        }
        say("%d of %d partitions, %s moved, %s/s: %s".formatted(verified, partitions, size(bytes), size(rate), what));
        failure(reports).ifPresent(this::say);
    }

    private static Optional<String> failure(Collection<MemberReport> reports) {
        return reports.stream()
                .filter(report -> !report.transfer().failure().isEmpty())
                .map(report -> "  " + report.member() + ": " + report.transfer().failure())
                .findFirst();
    }

    /** Says of which partitions no majority can be written now, if that has changed. */
    void unwritable(ClusterReport now) {
        String unwritable =
                UnwritablePartitions.of(now.topology(), now.reports().keySet()).inWords();
        if (!unwritable.equals(lastUnwritable)) {
            say(unwritable.isEmpty() ? "  all partitions can be written again" : "  " + unwritable);
        }
        lastUnwritable = unwritable;
    }

    void status(ClusterReport now) {
        Topology topology = now.topology();
        String change = topology.isChanging() ? ", a change is running, reads ask " + topology.reads() : "";
        say("Epoch %d, %d members%s"
                .formatted(topology.epoch(), topology.members().size(), change));
        for (Member member : topology.members()) {
            String why = now.silent().getOrDefault(member.id(), "");
            say(line(topology, member, now.reports().get(member.id()), why));
        }
        unwritable(now);
    }

    private static String line(Topology topology, Member member, @Nullable MemberReport report, String why) {
        String head = "  %-12s %-8s %-10s ".formatted(member.id(), member.state(), member.zone());
        if (report == null) {
            return head + "does not answer at " + member.peer() + (why.isEmpty() ? "" : ": " + why);
        }
        StringBuilder line = new StringBuilder(head)
                .append("epoch %d, %s"
                        .formatted(report.epoch(), size(report.disk().used())));
        if (report.contradicts(topology)) {
            line.append(" with other contents: publish epoch %d with the right members".formatted(report.epoch() + 1));
        }
        if (report.transfer().partitions() > 0) {
            line.append(", pulls: %d of %d partitions, %s, %s/s"
                    .formatted(
                            report.transfer().verified(),
                            report.transfer().partitions(),
                            size(report.transfer().bytes()),
                            size(report.transfer().bytesPerSecond())));
        }
        if (report.former().pending() > 0) {
            line.append(", drops %d partitions".formatted(report.former().pending()));
        }
        if (report.rebuilding() > 0) {
            line.append(", rebuilds %d partitions".formatted(report.rebuilding()));
        }
        Loss loss = report.life().loss();
        if (loss != null) {
            line.append(": it lacks %s before %s, as %s"
                    .formatted(what(loss.extent()), Instant.ofEpochMilli(loss.before()), loss.why()));
        }
        String failure = report.transfer().failure() + report.former().failure();
        return failure.isEmpty() ? line.toString() : line + " (" + failure + ")";
    }

    private static String what(Loss.Extent extent) {
        return switch (extent) {
            case ALL -> "all";
            case CELLS -> "some cells";
            case LATEST -> "the latest writes";
        };
    }

    static String size(long bytes) {
        if (bytes < KIB) {
            return bytes + " B";
        }
        int exponent = (Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes)) / 10;
        double value = bytes / Math.pow(KIB, exponent);
        return String.format(Locale.ROOT, "%.1f %ciB", value, "KMGTPE".charAt(exponent - 1));
    }
}
