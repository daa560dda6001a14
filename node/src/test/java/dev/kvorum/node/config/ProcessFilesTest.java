package dev.kvorum.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class ProcessFilesTest {
    @Test
    void thereAreAsManyFilesAsTheSystemLetsThisProcessOpen() throws IOException {
        String limit = Files.readAllLines(Path.of("/proc/self/limits")).stream()
                .filter(line -> line.startsWith("Max open files"))
                .map(line -> line.split("\\s+", -1)[3])
                .findFirst()
                .orElseThrow();

        assertThat(ProcessFiles.max()).isEqualTo(Long.parseLong(limit));
    }
}
