package dev.kvorum.operator.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvorum.operator.api.Specs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The tables of fields in docs/operator.md are made from the definition: {@code make docs} writes them. */
class FieldsDocumentTest {
    private static final Path DOCUMENT = Path.of("../docs/operator.md");
    private static final String END = "<!-- end -->\n";

    @Test
    void theDocumentedFieldsAreThoseOfTheDefinition() throws IOException {
        String before = Files.readString(DOCUMENT);
        String after = replace(replace(before, "spec"), "status");
        if (Boolean.getBoolean("kvorum.docs.write")) {
            Files.writeString(DOCUMENT, after);
            before = after;
        }

        assertThat(before).as("docs/operator.md: `make docs` writes its tables").isEqualTo(after);
    }

    private static String replace(String document, String root) {
        String begin = "<!-- fields of " + root + ", made by `make docs`; not to be edited -->\n";
        int from = document.indexOf(begin) + begin.length();
        assertThat(document).contains(begin);
        return document.substring(0, from) + table(root) + document.substring(document.indexOf(END, from));
    }

    private static String table(String root) {
        StringBuilder table = new StringBuilder(
                root.equals("spec")
                        ? "| field | default | what it is |\n|---|---|---|\n"
                        : "| field | what it is |\n|---|---|\n");
        rows(root, Specs.definition().at("/spec/versions/0/schema/openAPIV3Schema/properties/" + root), root, table);
        return table.toString();
    }

    private static void rows(String path, JsonNode schema, String root, StringBuilder table) {
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            String name = path + "." + property.getKey();
            JsonNode value = property.getValue();
            boolean isList = value.has("items");
            table.append("| `").append(name).append(isList ? "[]" : "").append("` | ");
            if (root.equals("spec")) {
                table.append(otherwise(value)).append(" | ");
            }
            table.append(value.path("description").asText().replace("|", "\\|")).append(" |\n");
            if (!DefinitionTest.KUBERNETES.contains(name)) {
                rows(isList ? name + "[]" : name, isList ? value.get("items") : value, root, table);
            }
        }
    }

    private static String otherwise(JsonNode schema) {
        JsonNode otherwise = schema.get("default");
        boolean told = otherwise == null
                || (schema.has("properties") && !schema.path("properties").isEmpty());
        return told ? "" : "`" + (otherwise.isTextual() ? otherwise.asText() : otherwise.toString()) + "`";
    }
}
