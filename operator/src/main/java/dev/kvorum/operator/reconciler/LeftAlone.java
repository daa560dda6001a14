package dev.kvorum.operator.reconciler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvorum.operator.api.Phase;
import dev.kvorum.operator.decision.Note;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status of a resource that this operator does not understand: {@code Valid} and {@code Ready} are False for that reason, and the other conditions of this operator are Unknown, because it
 * does not look at the nodes. All else stays as it was written, maybe by a newer operator.
 *
 * @param status the status that says so
 * @param note the event that tells of it
 */
record LeftAlone(ObjectNode status, Note note) {
    private static final String REASON = "NotUnderstood";
    private static final String UNOBSERVED =
            "not known: this operator does not look at a cluster whose spec it does not understand. The condition Valid says which field it is";
    private static final List<String> FALSE = List.of("Ready", "Valid");
    private static final List<String> UNKNOWN = List.of("Available", "Degraded", "Progressing", "Scaling");
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /**
     * @param before the status until now; null where there is none
     * @param why the field that is not understood, its value and what is known instead
     * @param now the present time, as Kubernetes writes it
     */
    static LeftAlone of(@Nullable JsonNode before, String why, long generation, String now) {
        String message = why
                + ". This operator changes nothing of the cluster; its nodes go on serving. Correct the field, or upgrade the operator";
        ObjectNode status = before instanceof ObjectNode object ? object.deepCopy() : JSON.objectNode();
        status.put("observedGeneration", generation);
        status.put("phase", Phase.Invalid.name());
        status.put("lastError", message);
        ArrayNode conditions = status.path("conditions") instanceof ArrayNode present ? present : JSON.arrayNode();
        status.set("conditions", conditions);
        UNKNOWN.forEach(type -> replace(conditions, condition(type, "Unknown", UNOBSERVED, generation, now)));
        FALSE.forEach(type -> replace(conditions, condition(type, "False", message, generation, now)));
        return new LeftAlone(status, new Note(true, "NotValid", REASON + ": " + message));
    }

    /** Whether this status says so already. */
    boolean isTold(@Nullable JsonNode before) {
        return before != null && status.equals(LeftAlone::compare, before);
    }

    /** By value: JSON that was read has other types of numbers than JSON that was made. */
    private static int compare(JsonNode one, JsonNode other) {
        boolean alike = (one.isIntegralNumber() && other.isIntegralNumber())
                ? one.bigIntegerValue().equals(other.bigIntegerValue())
                : one.equals(other);
        return alike ? 0 : 1;
    }

    private static ObjectNode condition(String type, String status, String message, long generation, String now) {
        return JSON.objectNode()
                .put("type", type)
                .put("status", status)
                .put("reason", REASON)
                .put("message", message)
                .put("observedGeneration", generation)
                .put("lastTransitionTime", now);
    }

    /** In the place of the one of its type. The time moves only with the status. */
    private static void replace(ArrayNode conditions, ObjectNode condition) {
        for (int index = 0; index < conditions.size(); index++) {
            JsonNode former = conditions.get(index);
            if (former.path("type").equals(condition.get("type"))) {
                if (former.path("status").equals(condition.get("status"))
                        && former.path("lastTransitionTime").isTextual()) {
                    condition.setAll(Map.of("lastTransitionTime", former.get("lastTransitionTime")));
                }
                conditions.set(index, condition);
                return;
            }
        }
        conditions.add(condition);
    }
}
