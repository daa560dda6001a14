package dev.kvorum.load.run;

import dev.kvorum.load.scenario.ClusterPlan;
import dev.kvorum.load.scenario.InvalidScenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The node's jars: the one that is delivered, and those that experiments change by a patch.
 *
 * @param plain       the delivered node's
 * @param patches     the folder of the experiments' patches, each {@code NAME.patch}
 * @param experiments the folder of what was built of them, each {@code NAME/trained/kvorum-node.jar}
 */
public record NodeBuilds(Path plain, Path patches, Path experiments) {
    private static final String PATCH = ".patch";

    /** @throws InvalidScenario if there is no such build, or it was not made; the message says which */
    public Path jar(ClusterPlan plan) throws IOException {
        if (plan.build().isEmpty()) {
            return plain;
        }
        String name = plan.build().get();
        if (!Files.isReadable(patches.resolve(name + PATCH))) {
            throw new InvalidScenario("There is no build \"" + name + "\" of the node: " + patches + " has " + known());
        }
        Path jar = experiments.resolve(name).resolve("trained").resolve("kvorum-node.jar");
        if (!Files.isReadable(jar)) {
            throw new InvalidScenario("The build \"" + name + "\" of the node was not made, there is no " + jar
                    + ": make load makes those that its SCENARIO names.");
        }
        return jar;
    }

    private List<String> known() throws IOException {
        if (!Files.isDirectory(patches)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(patches)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(PATCH))
                    .map(name -> name.substring(0, name.length() - PATCH.length()))
                    .sorted()
                    .toList();
        }
    }
}
