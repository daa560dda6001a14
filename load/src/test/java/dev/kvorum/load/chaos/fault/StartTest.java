package dev.kvorum.load.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.cluster.NodeProcess;
import dev.kvorum.load.cluster.Sleeper;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartTest {
    private static final Duration GRACE = Duration.ofSeconds(45);
    private static final Instant ENDED = Instant.ofEpochSecond(1_700_000_000);

    @TempDir
    private Path folder;

    private Start start() throws Exception {
        NodeProcess node = Sleeper.start(folder, "n1");
        node.kill();
        return new Start(node, 0, ENDED);
    }

    @Test
    void whatWasSetAsideBeforeIsNoneOfIt() throws Exception {
        Start start = start();

        assertThat(start.hasSeen(ENDED.minusSeconds(2))).isFalse();
        assertThat(start.hasSeen(ENDED.minusMillis(10))).isTrue();
        assertThat(start.hasSeen(ENDED.plusSeconds(2))).isTrue();
    }

    @Test
    void nodeThatWasAwayForLongMaySetItsDatabaseAside() throws Exception {
        Start start = start();

        assertThat(start.isTooShortFor(ENDED.plusSeconds(3), GRACE)).isTrue();
        assertThat(start.isTooShortFor(ENDED.plusSeconds(24), GRACE)).isTrue();
        // It may have noted its life some time before it ended.
        assertThat(start.isTooShortFor(ENDED.plusSeconds(26), GRACE)).isFalse();
        assertThat(start.isTooShortFor(ENDED.plusSeconds(60), GRACE)).isFalse();
    }
}
