package dev.kvorum.operator.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvorum.operator.api.Specs;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The generated definition. */
class DefinitionTest {
    /** Copies that are installed from; whoever changes the resource copies it there. */
    private static final List<Path> COPIES = List.of(
            Path.of("../charts/kvorum-operator/files/kvorumclusters.kvorum.dev-v1.yml"),
            Path.of("../k8s/crds/kvorumclusters.kvorum.dev-v1.yml"));

    /** Fields below which Kubernetes defines what stands there. */
    static final Set<String> KUBERNETES = Set.of("spec.pod.affinity", "spec.pod.tolerations", "spec.monitoring.from");

    @Test
    void copiesAreWhatIsGenerated() throws IOException {
        for (Path copy : COPIES) {
            if (Files.exists(copy.getParent())) {
                JsonNode copied = new KubernetesSerialization().unmarshal(Files.readString(copy), JsonNode.class);
                assertThat(copied)
                        .as(
                                "%s: copy operator/target/classes/META-INF/fabric8/kvorumclusters.kvorum.dev-v1.yml there",
                                copy)
                        .isEqualTo(Specs.definition());
            }
        }
    }

    @Test
    void everyFieldSaysWhatItIs() {
        List<String> silent = new ArrayList<>();
        collectSilent("spec", schema().at("/properties/spec"), silent);
        collectSilent("status", schema().at("/properties/status"), silent);

        assertThat(silent).isEmpty();
    }

    @Test
    void columnsAreInTheOrderInWhichPeopleReadThem() {
        JsonNode columns = Specs.definition().at("/spec/versions/0/additionalPrinterColumns");

        assertThat(StreamSupport.stream(columns.spliterator(), false)
                        .map(column -> column.get("name").asText()))
                .containsExactly("Ready", "Nodes", "Desired", "Epoch", "Phase", "Age", "Message");
    }

    @Test
    void conditionsAreAKeyedList() {
        JsonNode conditions = schema().at("/properties/status/properties/conditions");

        assertThat(conditions.get("x-kubernetes-list-type").asText()).isEqualTo("map");
        assertThat(conditions.get("x-kubernetes-list-map-keys").get(0).asText()).isEqualTo("type");
    }

    private static JsonNode schema() {
        return Specs.definition().at("/spec/versions/0/schema/openAPIV3Schema");
    }

    private static void collectSilent(String path, JsonNode schema, List<String> silent) {
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            String name = path + "." + property.getKey();
            if (!property.getValue().has("description")) {
                silent.add(name);
            }
            if (!KUBERNETES.contains(name)) {
                collectSilent(name, property.getValue(), silent);
                collectSilent(name, property.getValue().path("items"), silent);
            }
        }
    }
}
