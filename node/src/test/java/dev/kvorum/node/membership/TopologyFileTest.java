package dev.kvorum.node.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.topology.InvalidTopologyException;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.test.scheduler.VirtualTimeScheduler;

class TopologyFileTest {
    private static final Topology FIRST = Topologies.of(1, "n1", "n2");
    private static final Topology SECOND = Topologies.of(2, "n1", "n2", "n3");

    @TempDir
    Path directory;

    private Path path;
    private TopologyFile file;
    private final List<Topology> handed = new ArrayList<>();

    @BeforeEach
    void readFirst() throws IOException {
        path = directory.resolve("topology.json");
        file = new TopologyFile(path);
        write(FIRST);
    }

    private void write(Topology topology) throws IOException {
        Files.write(path, TopologyJson.write(topology));
    }

    private void poll() {
        file.poll(handed::add);
    }

    @Test
    void readGivesTheTopologyInTheFile() {
        assertThat(file.read()).isEqualTo(FIRST);
    }

    @Test
    void changedContentIsHandedOnOnce() throws IOException {
        assertThat(file.read()).isEqualTo(FIRST);
        poll();
        write(SECOND);

        poll();
        poll();

        assertThat(handed).containsExactly(SECOND);
    }

    @Test
    void brokenContentIsRefusedAndTakenOverWhenMended() throws IOException {
        assertThat(file.read()).isEqualTo(FIRST);
        Files.writeString(path, "{\"epoch\": 2, \"members\": [");

        poll();
        poll();

        assertThat(handed).isEmpty();

        write(SECOND);

        poll();

        assertThat(handed).containsExactly(SECOND);
    }

    /** What the file watch and the membership come to: a broken file changes nothing. */
    @Test
    void formerTopologyStaysInForceWhileTheFileIsBroken() throws IOException {
        Membership membership = new Membership("n1", file.read());
        Files.writeString(path, "{\"epoch\": 2, \"members\": []}");

        file.poll(membership::offer);

        assertThat(membership.view().topology()).isEqualTo(FIRST);

        write(SECOND);

        file.poll(membership::offer);

        assertThat(membership.view().topology()).isEqualTo(SECOND);
    }

    @Test
    void missingFileIsRefusedAndTakenOverWhenItIsBack() throws IOException {
        assertThat(file.read()).isEqualTo(FIRST);
        Files.delete(path);

        poll();

        assertThat(handed).isEmpty();

        write(SECOND);

        poll();

        assertThat(handed).containsExactly(SECOND);
    }

    @Test
    void consumerThatFailsDoesNotEndTheWatch() throws IOException {
        write(SECOND);
        file.poll(topology -> {
            throw new IllegalStateException("not now");
        });
        write(Topologies.of(3, "n1"));

        poll();

        assertThat(handed).containsExactly(Topologies.of(3, "n1"));
    }

    /** As when the disk is full for a while, on which the epoch is noted. */
    @Test
    void contentThatCouldNotBeTakenOverIsOfferedAgain() throws IOException {
        write(SECOND);
        file.poll(topology -> {
            throw new IllegalStateException("not now");
        });

        poll();
        poll();

        assertThat(handed).containsExactly(SECOND);
    }

    @Test
    void startIsRefusedWithTheNameOfAMissingFile() {
        Path missing = directory.resolve("missing.json");

        assertThatThrownBy(() -> new TopologyFile(missing).read())
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("the topology file " + missing + " can't be read");
    }

    @Test
    void startIsRefusedWithWhatIsWrongInTheFile() throws IOException {
        Files.writeString(path, "{\"epoch\": 0, \"members\": []}");

        assertThatThrownBy(file::read)
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("the topology file " + path + " can't be used: ");
    }

    @Test
    void hugeFileIsRefusedUnread() throws IOException {
        Files.write(path, new byte[(4 << 20) + 1]);

        assertThatThrownBy(file::read).hasMessageContaining("it has 4194305 bytes, the longest is 4194304");
    }

    @Test
    void watchReadsAtEveryIntervalUntilDisposedOf() throws IOException {
        VirtualTimeScheduler time = VirtualTimeScheduler.create();
        assertThat(file.read()).isEqualTo(FIRST);
        Disposable watch = file.watch(Duration.ofSeconds(1), time, handed::add);
        write(SECOND);

        time.advanceTimeBy(Duration.ofMillis(999));

        assertThat(handed).isEmpty();

        time.advanceTimeBy(Duration.ofMillis(1));

        assertThat(handed).containsExactly(SECOND);

        watch.dispose();
        write(Topologies.of(3, "n1"));
        time.advanceTimeBy(Duration.ofSeconds(5));

        assertThat(handed).containsExactly(SECOND);
    }
}
