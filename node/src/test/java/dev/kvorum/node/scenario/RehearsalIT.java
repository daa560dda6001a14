package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.Fault;
import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.node.config.HttpSettings;
import io.micrometer.core.instrument.Timer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a node does before it opens its port to clients. */
@Timeout(120)
@Tag("check")
class RehearsalIT {
    @TempDir
    Path directory;

    private static double calls(TestNode node, String tag, String value) {
        return node.meters().find("kvorum.replica.calls").tag(tag, value).timers().stream()
                .mapToDouble(Timer::count)
                .sum();
    }

    @Test
    void eachLoopRehearsesReadsAndWritesAndNothingIsStored() {
        try (TestCluster cluster = TestCluster.start(directory, 2)) {
            TestNode second = cluster.node(1); // The first is there when it starts.
            int loops = second.bean(HttpSettings.class).loops();

            assertThat(calls(second, "operation", "read")).isGreaterThanOrEqualTo(3.0 * loops);
            assertThat(calls(second, "operation", "write")).isGreaterThanOrEqualTo(loops);
            assertThat(cluster.node(0)
                            .meters()
                            .get("kvorum.storage.commit.writes")
                            .summary()
                            .totalAmount())
                    .isZero();
        }
    }

    @Test
    void memberThatIsSilentDelaysAStartNoLongerThanItMay() {
        try (TestCluster cluster = TestCluster.start(directory, 2)) {
            TestNode starting = cluster.node(1);
            starting.stop();
            try (Fault _ = cluster.node(0).proxy().freeze()) {
                CompletableFuture<Void> started = CompletableFuture.runAsync(() -> starting.start(
                        "--kvorum.rehearsal-max=1s", "--kvorum.peer.timeout=40s", "--kvorum.quorum.deadline=40s"));

                assertThat(started).succeedsWithin(Duration.ofSeconds(30));
            }
        }
    }

    @Test
    void memberThatIsDownIsNotAsked() {
        try (TestCluster cluster = TestCluster.start(directory, 3)) {
            TestNode starting = cluster.node(1);
            starting.stop();
            cluster.node(2).stop();

            starting.start("--kvorum.rehearsal-max=5m");

            assertThat(calls(starting, "member", "n3")).isZero();
        }
    }

    @Test
    void clientsAreNotServedWhileAMemberThatIsThereIsLate() {
        try (TestCluster cluster = TestCluster.start(directory, 2)) {
            TestNode starting = cluster.node(1);
            starting.stop();
            CompletableFuture<Void> started;
            try (Fault _ = cluster.node(0).proxy().freeze()) {
                started = CompletableFuture.runAsync(
                        () -> starting.start("--kvorum.rehearsal-max=1m", "--kvorum.peer.timeout=500ms"));
                eventually("it serves other members", () -> new RawClient(starting.peerPort()).isTakenIn());
                assertThat(new RawClient(starting.apiPort()).isTakenIn()).isFalse();
            }

            started.join();

            assertThat(new RawClient(starting.apiPort()).isTakenIn()).isTrue();
        }
    }
}
