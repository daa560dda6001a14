package dev.kvorum.operator.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;

/**
 * Adds to a schema what there are no annotations for: {@code input} is a JSON object that names properties, and what is to be set in the schema of each, at any depth. Only the
 * build uses it.
 */
public final class SchemaDetails implements SchemaCustomizer.Customizer {
    @Override
    public JSONSchemaProps apply(JSONSchemaProps schema, String input, KubernetesSerialization serialization) {
        JsonNode details = serialization.unmarshal(input, JsonNode.class);
        for (Map.Entry<String, JsonNode> detail : details.properties()) {
            JSONSchemaProps property = schema.getProperties().get(detail.getKey());
            if (property == null) {
                throw new IllegalArgumentException(detail.getKey() + " is no property; there are "
                        + schema.getProperties().keySet());
            }
            ObjectNode merged = serialization.convertValue(property, ObjectNode.class);
            merge(merged, detail.getValue());
            schema.getProperties().put(detail.getKey(), serialization.convertValue(merged, JSONSchemaProps.class));
        }
        return schema;
    }

    /** At any depth. A merge patch of the client would replace the schema of a list's items. */
    private static void merge(ObjectNode schema, JsonNode details) {
        for (Map.Entry<String, JsonNode> detail : details.properties()) {
            if (schema.get(detail.getKey()) instanceof ObjectNode nested
                    && detail.getValue().isObject()) {
                merge(nested, detail.getValue());
            } else {
                schema.set(detail.getKey(), detail.getValue());
            }
        }
    }
}
