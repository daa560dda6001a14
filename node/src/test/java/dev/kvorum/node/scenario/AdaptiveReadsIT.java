package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;

import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Adaptive reads go by the load of the machine. */
@Timeout(120)
class AdaptiveReadsIT {
    @TempDir
    Path directory;

    @Test
    void noMoreAreAskedThanMustAnswerOnceProcessorsAreBusy() {
        AtomicBoolean busy = new AtomicBoolean(true);
        try (TestCluster cluster = TestCluster.start(directory, 1, "--kvorum.read.fan-out=adaptive")) {
            IntStream.range(0, Runtime.getRuntime().availableProcessors())
                    .forEach(i -> Thread.ofPlatform().daemon().start(() -> {
                        while (busy.get()) {
                            Thread.onSpinWait();
                        }
                    }));

            eventually("reads are hedged", () -> isHedging(cluster.node(0)));
        } finally {
            busy.set(false);
        }
    }

    private static boolean isHedging(TestNode node) {
        return node.meters().get("kvorum.read.hedging").gauge().value() == 1;
    }
}
