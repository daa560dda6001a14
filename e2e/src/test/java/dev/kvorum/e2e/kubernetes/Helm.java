package dev.kvorum.e2e.kubernetes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Helm, as its user runs it. Each call waits until what it does is done. */
final class Helm {
    private static final Path CHARTS = Path.of("..", "charts");
    private static final Duration HELM_MAX = Duration.ofMinutes(4);

    private Helm() {}

    /** @param values as {@code test.killPod=true} */
    static void install(String release, String chart, String namespace, String... values) {
        run(
                with(values, "install", release, path(chart), "--create-namespace", "--take-ownership", "--wait"),
                namespace);
    }

    /** What is not among the values stays as it was. */
    static void upgrade(String release, String chart, String namespace, String... values) {
        run(with(values, "upgrade", release, path(chart), "--reuse-values", "--wait"), namespace);
    }

    /** @return what it prints */
    static String test(String release, String namespace) {
        return run(List.of("test", release), namespace);
    }

    static void uninstall(String release, String namespace) {
        run(List.of("uninstall", release, "--wait"), namespace);
    }

    private static String path(String chart) {
        return CHARTS.resolve(chart).toString();
    }

    private static List<String> with(String[] values, String... command) {
        List<String> all = new ArrayList<>(List.of(command));
        for (String value : values) {
            all.add("--set");
            all.add(value);
        }
        return all;
    }

    private static String run(List<String> arguments, String namespace) {
        List<String> command = new ArrayList<>(List.of("helm"));
        command.addAll(arguments);
        command.addAll(List.of("--namespace", namespace));
        return Program.run(HELM_MAX, command);
    }
}
