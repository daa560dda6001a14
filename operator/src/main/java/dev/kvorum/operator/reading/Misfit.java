package dev.kvorum.operator.reading;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Compares a value with a schema of the definition: types, enums, patterns, limits of numbers and required fields. Unknown fields fit. Relations between fields are checked by the API
 * server alone.
 */
final class Misfit {
    private static final int TOLD_MAX = 80; // Characters of a value that a message quotes.

    private Misfit() {}

    /** The first misfit, in words that begin with its path; empty where all fits. */
    static Optional<String> of(String path, JsonNode value, JsonNode schema) {
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return unless(value.isTextual() || value.isNumber(), path, value, "must be a number or a string");
        }
        return switch (schema.path("type").asText()) {
            case "object" -> ofObject(path, value, schema);
            case "array" -> ofArray(path, value, schema);
            case "string" -> ofString(path, value, schema);
            case "integer" -> ofInteger(path, value, schema);
            case "number" -> unless(value.isNumber(), path, value, "must be a number");
            case "boolean" -> unless(value.isBoolean(), path, value, "must be true or false");
            default -> Optional.empty();
        };
    }

    private static Optional<String> ofObject(String path, JsonNode value, JsonNode schema) {
        if (!value.isObject()) {
            return unless(false, path, value, "must be an object");
        }
        Optional<String> missing = texts(schema.path("required"))
                .filter(name -> !value.has(name))
                .findFirst()
                .map(name -> path + "." + name + " is missing");
        JsonNode properties = schema.path("properties");
        JsonNode others = schema.path("additionalProperties");
        return missing.or(() -> value.properties().stream()
                .flatMap(field -> of(
                        path + "." + field.getKey(),
                        field.getValue(),
                        properties.has(field.getKey()) ? properties.get(field.getKey()) : others)
                        .stream())
                .findFirst());
    }

    private static Optional<String> ofArray(String path, JsonNode value, JsonNode schema) {
        if (!value.isArray()) {
            return unless(false, path, value, "must be a list");
        }
        return IntStream.range(0, value.size())
                .mapToObj(index -> of(path + "[" + index + "]", value.get(index), schema.path("items")))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> ofString(String path, JsonNode value, JsonNode schema) {
        if (!value.isTextual()) {
            return unless(false, path, value, "must be a string");
        }
        List<String> known = texts(schema.path("enum")).toList();
        if (!known.isEmpty()) {
            return unless(
                    known.contains(value.asText()), path, value, "this operator knows " + String.join(", ", known));
        }
        String pattern = schema.path("pattern").asText();
        return unless(Pattern.compile(pattern).matcher(value.asText()).find(), path, value, "must match " + pattern);
    }

    private static Optional<String> ofInteger(String path, JsonNode value, JsonNode schema) {
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            return unless(false, path, value, "must be an integer");
        }
        List<String> limits = new ArrayList<>();
        if (schema.has("minimum") && value.asLong() < schema.get("minimum").asLong()) {
            limits.add("must be at least " + schema.get("minimum").asLong());
        }
        if (schema.has("maximum") && value.asLong() > schema.get("maximum").asLong()) {
            limits.add("must be at most " + schema.get("maximum").asLong());
        }
        return limits.stream().findFirst().flatMap(limit -> unless(false, path, value, limit));
    }

    private static Optional<String> unless(boolean fits, String path, JsonNode value, String rule) {
        String text = value.toString();
        String told = text.length() > TOLD_MAX ? text.substring(0, TOLD_MAX) + "..." : text;
        return fits ? Optional.empty() : Optional.of(path + " is " + told + ", but " + rule);
    }

    private static Stream<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText);
    }

    /** Fields of an object that do not fit, by their names. */
    static List<String> among(JsonNode object, JsonNode schema) {
        return object.properties().stream()
                .filter(field -> of(
                                field.getKey(),
                                field.getValue(),
                                schema.path("properties").path(field.getKey()))
                        .isPresent())
                .map(Map.Entry::getKey)
                .toList();
    }
}
