package dev.kvorum.charts;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A chart of this directory, as Helm sees it. */
record Chart(String name) {
    static final Chart OPERATOR = new Chart("kvorum-operator");
    static final Chart CLUSTER = new Chart("kvorum-cluster");

    /** The annotation of what is rendered that is a hook. */
    static final String HOOK = "kvorum.dev/hook";

    private static final String NAMESPACE = "kvorum-system";
    private static final String KUBERNETES = "v1.35.4";
    private static final Pattern SOURCE = Pattern.compile("# Source: [^/]+/templates/(\\S+)\n");
    private static final Object ONE_AT_A_TIME = new Object(); // Helm's library keeps state of its own.

    Path directory() {
        return Path.of(name);
    }

    String file(String file) {
        try {
            return Files.readString(directory().resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    LintResult lint() {
        synchronized (ONE_AT_A_TIME) {
            return new Helm(directory()).lint().strict().call();
        }
    }

    /**
     * What the chart renders to, in the namespace kvorum-system and a release named as the chart, or {@code demo} for the cluster's.
     *
     * @param values as in a values file; empty for the defaults
     * @throws IllegalStateException if Helm refuses, with its reason
     */
    String render(String values) {
        try {
            Path work = Files.createTempDirectory("chart");
            try {
                return template(copyTo(work.resolve(name)), Files.writeString(work.resolve("values.yaml"), values));
            } finally {
                delete(work);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String template(Path copy, Path values) {
        synchronized (ONE_AT_A_TIME) {
            return new Helm(copy)
                    .template()
                    .withName(equals(CLUSTER) ? "demo" : name)
                    .withNamespace(NAMESPACE)
                    .withKubeVersion(KUBERNETES)
                    .withValuesFile(values)
                    .call();
        }
    }

    /** A copy whose hooks are marked with {@link #HOOK} instead: Helm's library leaves hooks out of what it renders. */
    private Path copyTo(Path copy) throws IOException {
        try (Stream<Path> files = Files.walk(directory())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = copy.resolve(directory().relativize(file).toString());
                Files.createDirectories(Objects.requireNonNull(target.getParent()));
                Files.writeString(target, Files.readString(file).replace("helm.sh/hook", HOOK));
            }
        }
        return copy;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    List<Manifest> manifests(String values) {
        return Manifest.all(render(values));
    }

    /** The only object of a kind and name that the chart renders to. */
    Manifest manifest(String kind, String name, String values) {
        List<Manifest> found = manifests(values).stream()
                .filter(manifest ->
                        manifest.kind().equals(kind) && manifest.name().equals(name))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(
                    "There are " + found.size() + " objects " + kind + "/" + name + ", instead of one");
        }
        return found.getFirst();
    }

    /** The text that each template renders to, by the template's name, as {@code deployment.yaml}. */
    Map<String, String> renderByTemplate(String values) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String document : render(values).split("(?m)^---\n", -1)) {
            Matcher source = SOURCE.matcher(document);
            if (source.lookingAt()) {
                texts.merge(source.group(1), document.substring(source.end()), (first, next) -> first + "---\n" + next);
            }
        }
        return texts;
    }
}
