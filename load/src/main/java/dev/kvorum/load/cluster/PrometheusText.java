package dev.kvorum.load.cluster;

import java.util.HashMap;
import java.util.Map;

/** The part of Prometheus' text format that the bench reads. */
final class PrometheusText {
    private static final String AREA = "area=\"";

    private PrometheusText() {}

    /** By name the sum over all labels; where a label {@code area} is, by {@code name.area}. Lines that are no samples are left out. */
    static Map<String, Double> sums(String text) {
        Map<String, Double> sums = new HashMap<>();
        text.lines().filter(line -> !line.isBlank() && line.charAt(0) != '#').forEach(line -> {
            int space = line.lastIndexOf(' ');
            int brace = line.indexOf('{');
            if (space > 0) {
                String name = line.substring(0, brace > 0 ? brace : space);
                int area = line.indexOf(AREA);
                String key = area < 0
                        ? name
                        : name + "." + line.substring(area + AREA.length(), line.indexOf('"', area + AREA.length()));
                sums.merge(key, Double.parseDouble(line.substring(space + 1)), Double::sum);
            }
        });
        return sums;
    }
}
