package dev.kvorum.node.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A text from outside adds no line to a plain-text log, and nothing that a terminal would obey. */
@Timeout(60)
class ForgedLogsIT {
    private static final Logger LOG = LoggerFactory.getLogger(ForgedLogsIT.class);
    private static final String FORGED = "key\r\n12:00:00 INFO  all is well\u001b[2J\u0007\u009b1m\u2028\u202e";

    @TempDir
    Path directory;

    @Test
    void controlCharactersOfAMessageOrAnExceptionAreEscaped() throws IOException {
        Path log = directory.resolve("node.log");
        try (TestCluster cluster =
                TestCluster.start(directory, 1, "--logging.file.name=" + log, "--logging.pattern.file=%d %msg%n%ex")) {
            assertThat(cluster.node(0).isRunning()).isTrue();
            LOG.error("forged {}", FORGED);
            LOG.error("thrown", new IllegalStateException(FORGED, new IllegalArgumentException(FORGED)));
        }

        List<String> lines = Files.readAllLines(log);
        assertThat(lines)
                .anyMatch(line -> line.endsWith(
                        "forged key\\r\\n12:00:00 INFO  all is well\\u001b[2J\\u0007\\u009b1m\\u2028\\u202e"))
                .anyMatch(line -> line.startsWith("\t12:00:00 INFO  all is well\\u001b"))
                .anyMatch(line -> line.startsWith("\tCaused by: "))
                .noneMatch(line -> line.startsWith("12:00:00"))
                .allMatch(line -> line.chars().noneMatch(c -> Character.isISOControl(c) && c != '\t'));
    }
}
