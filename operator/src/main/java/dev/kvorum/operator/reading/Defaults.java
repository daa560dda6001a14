package dev.kvorum.operator.reading;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Defaults of a schema. The API server fills them in as well, but by the definition that it has, which can be an older one. */
final class Defaults {
    private Defaults() {}

    /** Fills in each field that is absent or null and has a default, at any depth. Removes every other null. */
    static void fillIn(ObjectNode object, JsonNode schema) {
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            String name = property.getKey();
            JsonNode otherwise = property.getValue().get("default");
            if (object.path(name).isNull()) {
                object.remove(name);
            }
            if (!object.has(name) && otherwise != null) {
                object.set(name, otherwise.deepCopy());
            }
            if (object.get(name) instanceof ObjectNode nested) {
                fillIn(nested, property.getValue());
            }
        }
    }
}
