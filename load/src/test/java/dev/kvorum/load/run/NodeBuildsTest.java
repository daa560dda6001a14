package dev.kvorum.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.load.scenario.ClusterPlan;
import dev.kvorum.load.scenario.InvalidScenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeBuildsTest {
    @TempDir
    Path folder;

    private NodeBuilds builds;

    @BeforeEach
    void patch() throws IOException {
        Path patches = Files.createDirectories(folder.resolve("patches"));
        Files.createFile(patches.resolve("bold.patch"));
        builds = new NodeBuilds(folder.resolve("plain.jar"), patches, folder.resolve("built"));
    }

    @Test
    void variantRunsTheDeliveredNodeUnlessItNamesAnother() throws IOException {
        Path bold = Files.createDirectories(
                        folder.resolve("built").resolve("bold").resolve("trained"))
                .resolve("kvorum-node.jar");
        Files.createFile(bold);

        assertThat(builds.jar(plan(null))).isEqualTo(folder.resolve("plain.jar"));
        assertThat(builds.jar(plan("bold"))).isEqualTo(bold);
    }

    @Test
    void unknownBuildIsRefusedWithThoseThatThereAre() {
        assertThatThrownBy(() -> builds.jar(plan("brave")))
                .isInstanceOf(InvalidScenario.class)
                .hasMessageContaining("no build \"brave\"")
                .hasMessageContaining("[bold]");
    }

    @Test
    void buildThatWasNotMadeIsRefusedWithHowToMakeIt() {
        assertThatThrownBy(() -> builds.jar(plan("bold")))
                .isInstanceOf(InvalidScenario.class)
                .hasMessageContaining("\"bold\" of the node was not made")
                .hasMessageContaining("make load");
    }

    private static ClusterPlan plan(@Nullable String build) {
        return new ClusterPlan(3, 3, Optional.ofNullable(build), List.of(), Map.of());
    }
}
