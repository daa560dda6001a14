package dev.kvorum.load.figure;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A comparison that a scenario states, on medians: {@code p99 of slowed <= 1.2 x p99 of healthy + 1 ms}, {@code errors of all <= 0}.
 *
 * @param text as written in the scenario
 */
public record Expectation(String text, Term left, Comparison comparison, Term right) {
    /** Names no variant, but each of them. */
    public static final String ALL = "all";

    private static final Pattern SHAPE = Pattern.compile("(.+?)\\s*(<=|>=|<|>)\\s*(.+)");
    private static final Pattern TERM = Pattern.compile(
            "(?:(?<factor>[0-9.]+)\\s*x\\s+)?(?<metric>[a-z][a-z0-9.-]*)\\s+of\\s+(?<variant>\\S+)(?:\\s*(?<sign>[+-])\\s*(?<offset>[0-9.]+)\\s*(?<unit>[a-zA-Z/%0-9]*))?");
    private static final Pattern CONSTANT = Pattern.compile("(?<value>-?[0-9.]+)\\s*(?<unit>[a-zA-Z/%0-9]*)");

    /** How two values are compared. */
    public enum Comparison {
        AT_MOST("<="),
        AT_LEAST(">="),
        BELOW("<"),
        ABOVE(">");

        private final String sign;

        Comparison(String sign) {
            this.sign = sign;
        }

        boolean holds(double left, double right) {
            return switch (this) {
                case AT_MOST -> left <= right;
                case AT_LEAST -> left >= right;
                case BELOW -> left < right;
                case ABOVE -> left > right;
            };
        }

        static Comparison of(String sign) {
            for (Comparison comparison : values()) {
                if (comparison.sign.equals(sign)) {
                    return comparison;
                }
            }
            throw new IllegalArgumentException(sign);
        }
    }

    /** {@code factor x metric of variant + offset}; without a metric the offset alone. */
    public record Term(double factor, @Nullable Metric metric, String variant, double offset) {

        Optional<Double> value(Map<String, Figures> variants, String all) {
            if (metric == null) {
                return Optional.of(offset);
            }
            Figures figures = variants.get(variant.equals(ALL) ? all : variant);
            return figures == null ? Optional.empty() : figures.get(metric).map(value -> factor * value + offset);
        }
    }

    /** @throws IllegalArgumentException if the text is no comparison; the message says why */
    public static Expectation parse(String text) {
        Matcher shape = SHAPE.matcher(text.strip());
        if (!shape.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" needs a comparison: <=, >=, < or >");
        }
        return new Expectation(text.strip(), term(shape.group(1)), Comparison.of(shape.group(2)), term(shape.group(3)));
    }

    private static Term term(String text) {
        Matcher constant = CONSTANT.matcher(text.strip());
        if (constant.matches()) {
            return new Term(0, null, "", Double.parseDouble(constant.group("value")));
        }
        Matcher term = TERM.matcher(text.strip());
        if (!term.matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is neither a number nor \"[number x] metric of variant [+ number]\"");
        }
        Metric metric = Metric.named(term.group("metric"))
                .orElseThrow(() -> new IllegalArgumentException("\"" + term.group("metric") + "\" is not a metric"));
        double factor = term.group("factor") == null ? 1 : Double.parseDouble(term.group("factor"));
        double offset = term.group("offset") == null ? 0 : Double.parseDouble(term.group("offset"));
        return new Term(factor, metric, term.group("variant"), "-".equals(term.group("sign")) ? -offset : offset);
    }

    /** Whether it is stated of every variant. */
    public boolean isOfAll() {
        return left.variant().equals(ALL) || right.variant().equals(ALL);
    }

    /** @param all the variant that {@code all} stands for */
    public Verdict judge(Map<String, Figures> variants, String all) {
        Optional<Double> leftValue = left.value(variants, all);
        Optional<Double> rightValue = right.value(variants, all);
        String said = isOfAll() ? text.replace("of " + ALL, "of " + all) : text;
        if (leftValue.isEmpty() || rightValue.isEmpty()) {
            return new Verdict(said, leftValue.orElse(null), rightValue.orElse(null), false, unit());
        }
        boolean holds = comparison.holds(leftValue.get(), rightValue.get());
        return new Verdict(said, leftValue.get(), rightValue.get(), holds, unit());
    }

    private String unit() {
        Metric metric = left.metric() == null ? right.metric() : left.metric();
        return metric == null ? "" : metric.unit();
    }
}
