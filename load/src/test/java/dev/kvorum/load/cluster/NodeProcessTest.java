package dev.kvorum.load.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NodeProcessTest {
    private static final Duration LONG = Duration.ofSeconds(50);
    private static final Duration SHORT = Duration.ofMillis(50);

    @TempDir
    private Path folder;

    private final List<NodeProcess> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(NodeProcess::kill);
    }

    private NodeProcess toBeEnded(NodeProcess node) {
        started.add(node);
        return node;
    }

    @Test
    void nodeThatStopsWhenAskedToIsNotKilled() throws Exception {
        NodeProcess node = toBeEnded(Sleeper.start(folder, "n1"));

        assertThat(node.stop(LONG)).isTrue();
        assertThat(node.isAlive()).isFalse();
    }

    @Test
    void nodeThatDoesNotStopIsKilledAndThatIsTold() throws Exception {
        NodeProcess node = toBeEnded(Sleeper.startDeaf(folder, "n1"));

        assertThat(node.stop(SHORT)).isFalse();
        assertThat(node.isAlive()).isFalse();
    }

    @Test
    void endOfTheLastProcessIsKnownUntilTheNextOneRuns() throws Exception {
        NodeProcess node = toBeEnded(Sleeper.start(folder, "n1"));
        assertThat(node.endedAt()).isEmpty();
        Instant before = Instant.now();

        node.kill();
        node.awaitEnd();

        assertThat(node.endedAt()).hasValueSatisfying(at -> assertThat(at).isBetween(before, Instant.now()));
        node.restart();
        assertThat(node.endedAt()).isEmpty();
    }
}
