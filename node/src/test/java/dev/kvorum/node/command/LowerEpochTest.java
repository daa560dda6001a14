package dev.kvorum.node.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.membership.Topologies;
import dev.kvorum.topology.TopologyJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LowerEpochTest {
    @TempDir
    Path directory;

    private Path kept;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @BeforeEach
    void keep() throws IOException {
        kept = directory.resolve("topology.json");
        Files.write(kept, TopologyJson.write(Topologies.of(5, "n1", "n2", "n3")));
        Files.createFile(Files.createDirectory(directory.resolve("cells")).resolve("LOCK"));
    }

    private void lower(long epoch) {
        new LowerEpoch(directory, epoch).run(new PrintStream(said, true, UTF_8));
    }

    @Test
    void onlyTheEpochOfWhatIsKeptChanges() throws IOException {
        lower(3);

        assertThat(kept).hasBinaryContent(TopologyJson.write(Topologies.of(3, "n1", "n2", "n3")));
        assertThat(said.toString(UTF_8)).contains("had epoch 5 and now has 3");
    }

    @Test
    void epochIsNeverRaised() {
        assertThatThrownBy(() -> lower(6)).hasMessageContaining("has epoch 5, which is not above 6");

        assertThat(kept).hasBinaryContent(TopologyJson.write(Topologies.of(5, "n1", "n2", "n3")));
        assertThat(said.toString(UTF_8)).isEmpty();
    }
}
