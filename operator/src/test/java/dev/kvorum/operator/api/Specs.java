package dev.kvorum.operator.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** Specs as the API server hands them to the operator: with the defaults of the generated definition. */
public final class Specs {
    private static final String DEFINITION = "/META-INF/fabric8/kvorumclusters.kvorum.dev-v1.yml";

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private Specs() {}

    /** The generated definition, as it is. */
    public static JsonNode definition() {
        try (InputStream yaml = Specs.class.getResourceAsStream(DEFINITION)) {
            return SERIALIZATION.unmarshal(yaml, JsonNode.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A spec, of YAML that holds what is not default. */
    public static KvorumClusterSpec spec(String yaml) {
        JsonNode given = yaml.isBlank()
                ? null
                : SERIALIZATION.unmarshal(
                        "---\n" + yaml, JsonNode.class); // Marked as YAML: what begins with { is taken for JSON.
        JsonNode schema = definition().at("/spec/versions/0/schema/openAPIV3Schema/properties/spec");
        ObjectNode spec = given == null ? (ObjectNode) schema.get("default").deepCopy() : (ObjectNode) given;
        complete(spec, schema);
        return SERIALIZATION.convertValue(spec, KvorumClusterSpec.class);
    }

    private static void complete(ObjectNode object, JsonNode schema) {
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            JsonNode otherwise = property.getValue().get("default");
            if (!object.has(property.getKey()) && otherwise != null) {
                object.set(property.getKey(), otherwise.deepCopy());
            }
            if (object.get(property.getKey()) instanceof ObjectNode nested) {
                complete(nested, property.getValue());
            }
        }
    }
}
