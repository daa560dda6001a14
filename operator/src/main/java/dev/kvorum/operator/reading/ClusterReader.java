package dev.kvorum.operator.reading;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.KvorumClusterStatus;
import dev.kvorum.operator.api.UnreadCluster;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads resources by this operator's own definition, which is part of its jar. Threads may share one. */
public final class ClusterReader {
    private static final String DEFINITION = "/META-INF/fabric8/kvorumclusters.kvorum.dev-v1.yml";

    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final JsonNode spec;
    private final JsonNode status;

    public ClusterReader() {
        JsonNode schema = definition().at("/spec/versions/0/schema/openAPIV3Schema/properties");
        this.spec = schema.get("spec");
        this.status = schema.get("status");
    }

    private JsonNode definition() {
        try (InputStream yaml = ClusterReader.class.getResourceAsStream(DEFINITION)) {
            if (yaml == null) {
                throw new IllegalStateException("The operator was packed without " + DEFINITION
                        + ", by which it reads resources: build its jar and its image anew.");
            }
            return serialization.unmarshal(yaml, JsonNode.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Never fails, whatever the object holds. */
    public ClusterReading read(UnreadCluster unread) {
        KvorumCluster cluster = new KvorumCluster();
        cluster.setMetadata(unread.getMetadata());
        JsonNode given = copy(unread.getSpec());
        if (given instanceof ObjectNode object) {
            Defaults.fillIn(object, spec);
        }
        Optional<String> misfit = Misfit.of("spec", given, spec);
        if (misfit.isPresent()) {
            return new ClusterReading.NotUnderstood(cluster, misfit.get());
        }
        try {
            cluster.setSpec(serialization.convertValue(given, KvorumClusterSpec.class));
        } catch (IllegalArgumentException e) { // What the definition does not say: a quantity, for one.
            return new ClusterReading.NotUnderstood(cluster, unreadable(e, given));
        }
        cluster.setStatus(status(copy(unread.getStatus())));
        return new ClusterReading.Understood(cluster);
    }

    /** In words of the resource, not of this program. */
    private static String unreadable(IllegalArgumentException e, JsonNode given) {
        if (!(e.getCause() instanceof JsonMappingException mapping)) {
            return "spec can't be read";
        }
        StringBuilder path = new StringBuilder("spec");
        JsonNode at = given;
        for (JsonMappingException.Reference step : mapping.getPath()) {
            boolean isField = step.getFieldName() != null;
            path.append(isField ? "." + step.getFieldName() : "[" + step.getIndex() + "]");
            at = isField ? at.path(step.getFieldName()) : at.path(step.getIndex());
        }
        return path + " is " + at + ", which can't be read";
    }

    /** The fields that this operator knows: a newer one may have written the others, and this one writes them anew. */
    private @Nullable KvorumClusterStatus status(JsonNode given) {
        if (!(given instanceof ObjectNode object) || object.isEmpty()) {
            return null;
        }
        Defaults.fillIn(object, status);
        object.remove(Misfit.among(object, status));
        try {
            return serialization.convertValue(object, KvorumClusterStatus.class);
        } catch (IllegalArgumentException e) { // A number that is too large, for one. The next status replaces it.
            return null;
        }
    }

    private static JsonNode copy(@Nullable JsonNode given) {
        return given == null || given.isNull() ? JsonNodeFactory.instance.objectNode() : given.deepCopy();
    }
}
