package dev.kvorum.operator.definition;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvorum.operator.api.KvorumCluster;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Writes the definition of {@code KvorumCluster} into a directory. The build runs it. */
public final class WriteDefinition {
    /** In the order in which people read them; the generator sorts them by path. */
    private static final List<String> COLUMNS =
            List.of("Ready", "Nodes", "Desired", "Epoch", "Phase", "Age", "Message");

    private WriteDefinition() {}

    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[0]);
        Files.createDirectories(directory);
        new CRDGenerator()
                .customResourceClasses(KvorumCluster.class)
                .inOutputDir(directory.toFile())
                .withMinQuotes(true)
                .withPostProcessor(new CRDPostProcessor() {
                    @Override
                    public HasMetadata process(HasMetadata definition, String version) {
                        return finished((CustomResourceDefinition) definition);
                    }
                })
                .generate();
    }

    private static CustomResourceDefinition finished(CustomResourceDefinition definition) {
        definition.getSpec().getVersions().forEach(version -> {
            List<CustomResourceColumnDefinition> columns = new ArrayList<>(version.getAdditionalPrinterColumns());
            columns.sort(Comparator.comparingInt(column -> COLUMNS.indexOf(column.getName())));
            version.setAdditionalPrinterColumns(columns);
            complete(version.getSchema().getOpenAPIV3Schema());
        });
        return definition;
    }

    /** The default of an object names those of its fields, too: the API server checks it by the rules as it stands. */
    private static void complete(JSONSchemaProps schema) {
        if (schema.getProperties() == null) {
            return;
        }
        schema.getProperties().values().forEach(WriteDefinition::complete);
        if (schema.getDefault() instanceof ObjectNode otherwise) {
            schema.getProperties().forEach((name, property) -> {
                if (property.getDefault() != null && !otherwise.has(name)) {
                    otherwise.set(name, property.getDefault());
                }
            });
        }
    }
}
