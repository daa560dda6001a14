package dev.kvorum.load.report;

import dev.kvorum.load.figure.Figures;
import dev.kvorum.load.figure.Metric;
import dev.kvorum.load.figure.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The medians and verdicts as plain text for the terminal. */
public final class ResultTable {
    private static final List<Metric> COLUMNS = List.of(
            Metric.P50,
            Metric.P75,
            Metric.P90,
            Metric.P99,
            Metric.P99_9,
            Metric.P99_99,
            Metric.MAX,
            Metric.THROUGHPUT,
            Metric.CPU,
            Metric.ERRORS);
    private static final List<Metric> OPTIONAL_COLUMNS = List.of(
            Metric.REFUSED,
            Metric.REFUSAL_WAIT_MEAN,
            Metric.REFUSAL_WAIT_MAX,
            Metric.SATURATION,
            Metric.BEGUN_SHARE,
            Metric.GOODPUT_SHARE,
            Metric.RECOVERY,
            Metric.RSS_SURGE,
            Metric.THREADS_SURGE,
            Metric.HEAP_GROWTH,
            Metric.NATIVE_GROWTH,
            Metric.PEER_CONNECTIONS,
            Metric.CALLED_OFF,
            Metric.HEDGES,
            Metric.STOLEN);

    private ResultTable() {}

    public static String of(Conclusion conclusion) {
        List<Metric> columns = new ArrayList<>(COLUMNS);
        OPTIONAL_COLUMNS.stream()
                .filter(metric -> conclusion.medians().values().stream()
                        .anyMatch(figures -> figures.get(metric).orElse(0.0) != 0))
                .forEach(columns::add);
        int name = conclusion.medians().keySet().stream()
                .mapToInt(String::length)
                .max()
                .orElse(0);
        StringBuilder text = new StringBuilder("\n").append(" ".repeat(name));
        columns.forEach(metric -> text.append(cell(metric, heading(metric))));
        conclusion.medians().forEach((variant, figures) -> {
            text.append('\n').append(variant).append(" ".repeat(name - variant.length()));
            columns.forEach(metric -> text.append(cell(metric, value(figures, metric))));
        });
        text.append('\n');
        for (Verdict verdict : conclusion.verdicts()) {
            text.append(verdict.passed() ? "\npass  " : "\nFAIL  ").append(verdict.text());
            text.append("   (")
                    .append(number(verdict.left()))
                    .append(" against ")
                    .append(number(verdict.right()));
            text.append(verdict.unit().isEmpty() ? ")" : " " + verdict.unit() + ")");
        }
        conclusion.failures().forEach(failure -> text.append("\nFAIL  ").append(failure));
        return text.append('\n').toString();
    }

    private static String heading(Metric metric) {
        return metric.unit().isEmpty() ? metric.label() : metric.label() + " " + metric.unit();
    }

    private static String cell(Metric metric, String text) {
        int width = Math.max(10, heading(metric).length() + 2);
        return " ".repeat(Math.max(2, width - text.length())) + text;
    }

    private static String value(Figures figures, Metric metric) {
        return number(figures.get(metric).orElse(null));
    }

    private static String number(@Nullable Double value) {
        if (value == null) {
            return "-";
        }
        double size = Math.abs(value);
        String format =
                size >= 100 || value == Math.rint(value) ? "%,.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }
}
