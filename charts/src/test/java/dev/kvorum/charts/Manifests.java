package dev.kvorum.charts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The manifests of {@code k8s/}. */
final class Manifests {
    static final Path CRDS = Path.of("..", "k8s", "crds");
    static final Path OPERATOR = Path.of("..", "k8s", "operator");
    static final Path SAMPLES = Path.of("..", "k8s", "samples");
    static final String DEFINITION = "kvorumclusters.kvorum.dev-v1.yml";

    private Manifests() {}

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The names of all YAML files of a directory, but for its kustomization. */
    static List<String> names(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches(".*\\.ya?ml") && !name.equals("kustomization.yaml"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> resourcesOf(Path directory) {
        Object resources =
                Manifest.one(read(directory.resolve("kustomization.yaml"))).at("resources");
        return resources instanceof List<?> list
                ? list.stream().map(String::valueOf).sorted().toList()
                : List.of();
    }
}
