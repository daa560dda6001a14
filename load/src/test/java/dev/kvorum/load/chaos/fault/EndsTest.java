package dev.kvorum.load.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.cluster.NodeProcess;
import dev.kvorum.load.cluster.Sleeper;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class EndsTest {
    @TempDir
    private Path folder;

    private final FaultLog log = new FaultLog(() -> 0, _ -> {});
    private final Ends ends = new Ends(log);
    private NodeProcess node;

    @BeforeEach
    void start() throws Exception {
        node = Sleeper.start(folder, "n7");
    }

    @AfterEach
    void end() {
        node.kill();
    }

    @Test
    void nodeThatRunsIsEndedWithoutAComplaint() throws Exception {
        ends.kill(node);

        assertThat(node.isAlive()).isFalse();
        assertThat(log.complaints()).isEmpty();
    }

    @Test
    void nodeThatHadEndedByItselfIsAComplaintHoweverItWasToBeEnded() throws Exception {
        ProcessHandle process = ProcessHandle.of(node.pid()).orElseThrow();
        process.destroyForcibly();
        process.onExit().join();
        node.awaitEnd();

        ends.stop(node);
        ends.kill(node);

        assertThat(log.complaints()).hasSize(2).allMatch(words -> words.startsWith("n7 has ended by itself"));
    }

    @Test
    void nodeWithADamagedDiskMayHaveEndedByItself() throws Exception {
        node.kill();
        node.awaitEnd();

        ends.stopDamaged(node);

        assertThat(log.complaints()).isEmpty();
    }
}
