package dev.kvorum.load.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The part of Prometheus' text format that the bench reads. */
final class PrometheusText {
    private static final Pattern TOLD_APART = Pattern.compile("[{,](?:area|end)=\"([^\"]*)\"");

    private PrometheusText() {}

    /** By name the sum over all labels; where a label {@code area} or {@code end} is, by the name, a dot and its value. Lines that are no samples are left out. */
    static Map<String, Double> sums(String text) {
        Map<String, Double> sums = new HashMap<>();
        text.lines().filter(line -> !line.isBlank() && line.charAt(0) != '#').forEach(line -> {
            int space = line.lastIndexOf(' ');
            int brace = line.indexOf('{');
            if (space > 0) {
                String name = line.substring(0, brace > 0 ? brace : space);
                Matcher value = TOLD_APART.matcher(line);
                String key = value.find() ? name + "." + value.group(1) : name;
                sums.merge(key, Double.parseDouble(line.substring(space + 1)), Double::sum);
            }
        });
        return sums;
    }
}
