package dev.kvorum.node.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A newcomer finds each class from the page of its package, {@code package-info.java}. */
class PackagePagesTest {
    private static final String PAGE = "package-info.java";

    @ParameterizedTest
    @ValueSource(strings = {"topology", "control", "history", "node", "operator", "simulation", "load"})
    void pageOfAPackageNamesItsClasses(String module) throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
            sources = files.filter(file -> file.toString().endsWith(".java")).toList();
        }
        assertThat(sources).isNotEmpty();

        for (Path source : sources) {
            Path page = source.resolveSibling(PAGE);
            assertThat(page).as("page of %s", source).exists();
            String name = source.getFileName().toString().replace(".java", "");
            assertThat(Files.readString(page))
                    .as("%s names %s", page, name)
                    .containsPattern("\\b" + Pattern.quote(name.equals("package-info") ? "package" : name) + "\\b");
        }
    }
}
