package dev.kvorum.e2e.client;

import dev.kvorum.e2e.cluster.Node;
import java.util.List;

/** What a node says of itself at one time: lines of Prometheus' text format. */
public record Metrics(String text) {
    /** Asks the node. Blocks. */
    public static Metrics of(Node node) {
        return new Metrics(Question.ask(node.management().resolve("/actuator/prometheus")));
    }

    /**
     * The sum of the samples of that name which have all those labels; 0 where none of them does. Fails where there is no sample of that name.
     *
     * @param labels each as {@code member="n3"}
     */
    public double sum(String name, String... labels) {
        List<String> samples = samples(name);
        if (samples.isEmpty()) {
            throw new AssertionError("The node has no metric " + name);
        }
        return sum(samples, labels);
    }

    /** The same of a metric that is there only when something has happened; 0 until then. */
    public double sumOrZero(String name, String... labels) {
        return sum(samples(name), labels);
    }

    private List<String> samples(String name) {
        return text.lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .toList();
    }

    private static double sum(List<String> samples, String... labels) {
        return samples.stream()
                .filter(line -> hasAll(line, labels))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static boolean hasAll(String line, String... labels) {
        for (String label : labels) {
            if (!line.contains(label)) {
                return false;
            }
        }
        return true;
    }
}
