package dev.kvorum.load.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The fields of a YAML mapping, read one by one; every complaint names the field by its path. */
final class Fields {
    private static final Pattern AMOUNT = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([a-zA-Z]*)");

    private final String file;
    private final String path;
    private final Map<String, Object> values;

    private Fields(String file, String path, Map<String, Object> values) {
        this.file = file;
        this.path = path;
        this.values = values;
    }

    static Fields of(String file, @Nullable Object document) {
        return mapping(file, "", document);
    }

    private static Fields mapping(String file, String path, @Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new InvalidScenario(
                    file + ": " + (path.isEmpty() ? "the document" : path) + " must be a mapping, but is " + value);
        }
        Map<String, Object> values = new LinkedHashMap<>();
        map.forEach((name, field) -> {
            if (field != null) {
                values.put(String.valueOf(name), field);
            }
        });
        return new Fields(file, path, values);
    }

    /** These fields with the others' put over them; mappings are merged, all else is replaced. */
    Fields with(Fields over) {
        return new Fields(file, over.path, merge(values, over.values));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> merge(Map<String, Object> under, Map<String, Object> over) {
        Map<String, Object> merged = new LinkedHashMap<>(under);
        over.forEach((name, value) -> {
            boolean both = value instanceof Map && merged.get(name) instanceof Map;
            merged.merge(
                    name,
                    value,
                    (old, now) -> both ? merge((Map<String, Object>) old, (Map<String, Object>) now) : now);
        });
        return merged;
    }

    Fields without(Set<String> names) {
        Map<String, Object> rest = new LinkedHashMap<>(values);
        rest.keySet().removeAll(names);
        return new Fields(file, path, rest);
    }

    Fields only(Set<String> names) {
        Map<String, Object> kept = new LinkedHashMap<>(values);
        kept.keySet().retainAll(names);
        return new Fields(file, path, kept);
    }

    /** Complains of fields that nobody reads. */
    void allow(String... names) {
        allow(Set.of(), names);
    }

    /** @param more allowed besides the names */
    void allow(Set<String> more, String... names) {
        Set<String> known = new TreeSet<>(more);
        known.addAll(List.of(names));
        for (String name : values.keySet()) {
            if (!known.contains(name)) {
                throw new InvalidScenario(
                        file + ": " + field(name) + " is not a field; known here: " + String.join(", ", known));
            }
        }
    }

    Set<String> names() {
        return values.keySet();
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    boolean isMapping(String name) {
        return values.get(name) instanceof Map;
    }

    InvalidScenario wrong(String name, String must) {
        Object value = values.get(name);
        return new InvalidScenario(file + ": " + field(name) + " must be " + must
                + (value == null ? ", but is missing" : ", but is \"" + value + "\""));
    }

    private String field(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    Optional<Fields> fields(String name) {
        return Optional.ofNullable(values.get(name)).map(value -> mapping(file, field(name), value));
    }

    List<Fields> list(String name) {
        List<Fields> list = new ArrayList<>();
        Object value = values.getOrDefault(name, List.of());
        if (!(value instanceof List<?> items)) {
            throw wrong(name, "a list");
        }
        for (int i = 0; i < items.size(); i++) {
            list.add(mapping(file, field(name) + "[" + i + "]", items.get(i)));
        }
        return list;
    }

    List<String> strings(String name) {
        Object value = values.getOrDefault(name, List.of());
        return value instanceof List<?> items
                ? items.stream().map(String::valueOf).toList()
                : List.of(String.valueOf(value));
    }

    Optional<String> string(String name) {
        return Optional.ofNullable(values.get(name)).map(String::valueOf);
    }

    String requiredString(String name) {
        return string(name).filter(text -> !text.isBlank()).orElseThrow(() -> wrong(name, "a text"));
    }

    boolean flag(String name, boolean otherwise) {
        Object value = values.getOrDefault(name, otherwise);
        if (!(value instanceof Boolean flag)) {
            throw wrong(name, "true or false");
        }
        return flag;
    }

    int integer(String name, int min, int max, int otherwise) {
        double value = number(name, min, max, otherwise);
        if (value != Math.rint(value)) {
            throw wrong(name, "a whole number");
        }
        return (int) value;
    }

    double number(String name, double min, double max, double otherwise) {
        if (!has(name)) {
            return otherwise;
        }
        try {
            double value = Double.parseDouble(String.valueOf(values.get(name)).replace("_", ""));
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException _) {
            // Said below, with the field's name.
        }
        throw wrong(name, "a number from " + plain(min) + " to " + plain(max));
    }

    private static String plain(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    Duration duration(String name, Duration otherwise) {
        return has(name) ? parse(name, "a duration such as 5ms, 10s or 20m", Fields::durationOf) : otherwise;
    }

    /** In bytes. */
    int size(String name, int otherwise) {
        return has(name) ? parse(name, "a size such as 100, 16B, 4KiB or 1MiB", Fields::bytesOf) : otherwise;
    }

    private <T> T parse(String name, String must, Function<String, Optional<T>> parser) {
        return parser.apply(String.valueOf(values.get(name))).orElseThrow(() -> wrong(name, must));
    }

    static Optional<Duration> durationOf(String text) {
        Matcher amount = AMOUNT.matcher(text.strip());
        if (!amount.matches()) {
            return Optional.empty();
        }
        double value = Double.parseDouble(amount.group(1));
        return switch (amount.group(2)) {
            case "ms" -> Optional.of(Duration.ofNanos((long) (value * 1e6)));
            case "s" -> Optional.of(Duration.ofNanos((long) (value * 1e9)));
            case "m" -> Optional.of(Duration.ofNanos((long) (value * 60e9)));
            default -> Optional.empty();
        };
    }

    static Optional<Integer> bytesOf(String text) {
        Matcher amount = AMOUNT.matcher(text.strip());
        if (!amount.matches()) {
            return Optional.empty();
        }
        double value = Double.parseDouble(amount.group(1));
        return switch (amount.group(2)) {
            case "", "B" -> Optional.of((int) value);
            case "KiB" -> Optional.of((int) (value * 1024));
            case "MiB" -> Optional.of((int) (value * 1024 * 1024));
            default -> Optional.empty();
        };
    }
}
