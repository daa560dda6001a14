package dev.kvorum.load.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The JVM options of nodes: those of every node, from {@code node/java.options}, and those of a scenario or of chaos behind them. */
public final class JvmOptions {
    private static final Predicate<String> COLLECTOR =
            Pattern.compile("-XX:\\+Use\\w+GC").asMatchPredicate();
    private static final List<String> OF_EVERY_NODE = read();

    private JvmOptions() {}

    /** @param own win over those of every node; a JVM takes one collector only, so one among them replaces that of every node */
    public static List<String> with(List<String> own) {
        boolean hasCollector = own.stream().anyMatch(COLLECTOR);
        Stream<String> first = OF_EVERY_NODE.stream().filter(option -> !hasCollector || !COLLECTOR.test(option));
        return Stream.concat(first, own.stream()).toList();
    }

    private static List<String> read() {
        try (InputStream file = Objects.requireNonNull(JvmOptions.class.getResourceAsStream("/java.options"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
