package dev.kvorum.charts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * One object of Kubernetes, or any other YAML.
 *
 * @param content as nested maps and lists
 */
record Manifest(Map<String, Object> content) {
    /** All objects of a text, in order. */
    static List<Manifest> all(String yaml) {
        List<Manifest> manifests = new ArrayList<>();
        for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(yaml)) {
            if (document instanceof Map<?, ?> map) {
                manifests.add(of(map));
            }
        }
        return manifests;
    }

    static Manifest one(String yaml) {
        return all(yaml).getFirst();
    }

    @SuppressWarnings("unchecked") // Keys of manifests are strings.
    private static Manifest of(Map<?, ?> map) {
        return new Manifest((Map<String, Object>) map);
    }

    /** The same with 255 where 255.0 was written: to JSON, and so to Kubernetes, they are one number. */
    Manifest withWholeNumbers() {
        return of((Map<?, ?>) wholeNumbers(content));
    }

    private static Object wholeNumbers(Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                Map<Object, Object> whole = new LinkedHashMap<>();
                map.forEach((field, part) -> whole.put(field, wholeNumbers(part)));
                yield whole;
            }
            case List<?> list -> list.stream().map(Manifest::wholeNumbers).toList();
            case Double number when number == Math.rint(number) -> number.intValue();
            default -> value;
        };
    }

    String kind() {
        return text("kind");
    }

    String name() {
        return text("metadata", "name");
    }

    /** What is at a path of field names and list indexes; null where nothing is. */
    @Nullable
    Object at(Object... path) {
        Object value = content;
        for (Object step : path) {
            if (value instanceof Map<?, ?> map && step instanceof String field) {
                value = map.get(field);
            } else if (value instanceof List<?> list && step instanceof Integer index && index < list.size()) {
                value = list.get(index);
            } else {
                return null;
            }
        }
        return value;
    }

    String text(Object... path) {
        return String.valueOf(at(path));
    }

    /** The object at a path; empty where there is none. */
    Manifest part(Object... path) {
        return at(path) instanceof Map<?, ?> map ? of(map) : new Manifest(Map.of());
    }

    /** The objects of the list at a path; empty where there is none. */
    List<Manifest> parts(Object... path) {
        if (!(at(path) instanceof List<?> list)) {
            return List.of();
        }
        return list.stream()
                .map(part -> part instanceof Map<?, ?> map ? of(map) : new Manifest(Map.of()))
                .toList();
    }
}
