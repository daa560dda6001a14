package dev.kvorum.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The reference of all settings is what the settings records say; {@code make docs} writes it anew. */
class ConfigurationReferenceTest {
    private static final Path REFERENCE = Path.of("..", "docs", "configuration.md");
    private static final String BEGIN = "<!-- made from the settings records by `make docs`; not to be edited -->\n";
    private static final String METADATA = "/META-INF/spring-configuration-metadata.json";

    @Test
    void referenceSaysWhatTheSettingsRecordsSay() throws IOException {
        String reference = Files.readString(REFERENCE);
        int begin = reference.indexOf(BEGIN);
        assertThat(begin).as("the mark in " + REFERENCE).isPositive();
        String expected = reference.substring(0, begin) + BEGIN + table();

        if (Boolean.getBoolean("kvorum.docs.write")) {
            Files.writeString(REFERENCE, expected);
        }

        assertThat(Files.readString(REFERENCE)).as("run make docs").isEqualTo(expected);
    }

    @Test
    void everySettingIsDescribed() throws IOException {
        assertThat(properties()).isNotEmpty().allSatisfy(property -> {
            assertThat(property.hasNonNull("description"))
                    .as(property.toString())
                    .isTrue();
            assertThat(property.path("description").stringValue()).endsWith(".");
        });
    }

    private static String table() throws IOException {
        StringBuilder table = new StringBuilder("| option | default | what it does |\n|---|---|---|\n");
        for (JsonNode property : properties()) {
            table.append("| `%s` | %s | %s |\n"
                    .formatted(property.path("name").stringValue(), defaultOf(property), sentence(property)));
        }
        return table.toString();
    }

    private static String defaultOf(JsonNode property) {
        JsonNode value = property.path("defaultValue");
        return value.isMissingNode() ? "" : "`" + value.asString() + "`";
    }

    private static String sentence(JsonNode property) {
        String text = property.path("description").stringValue().replaceAll("\\s+", " ");
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    private static List<JsonNode> properties() throws IOException {
        try (InputStream metadata = Objects.requireNonNull(NodeSettings.class.getResourceAsStream(METADATA))) {
            List<JsonNode> properties = new ArrayList<>();
            new JsonMapper().readTree(metadata).path("properties").forEach(properties::add);
            properties.sort(
                    Comparator.comparing(property -> property.path("name").stringValue()));
            return properties;
        }
    }
}
