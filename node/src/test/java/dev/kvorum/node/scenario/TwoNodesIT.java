package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.Fault;
import dev.kvorum.node.cluster.NodeClient;
import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two nodes, where a quorum of two is all and a quorum of one is half. */
@Tag("check")
class TwoNodesIT {
    private static final Duration WAITS = Duration.ofSeconds(1);

    @TempDir
    static Path directory;

    static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(directory, 2);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void startAllAgain() {
        cluster.startAll();
    }

    @Test
    void eitherNodeAloneAnswersWhatBothHaveStored() {
        cluster.node(0).client().put("both", "stored", "2/2");

        for (TestNode alone : cluster.nodes()) {
            TestNode other = cluster.othersThan(List.of(alone)).getFirst();
            other.stop();

            assertThat(text(alone.client().get("both", "1/2"))).isEqualTo("stored");

            cluster.start(other);
        }
    }

    @Test
    void eitherNodeAloneAnswersThatBothHaveDeleted() {
        cluster.node(0).client().put("gone", "stored", "2/2");
        assertThat(cluster.node(1).client().delete("gone", "2/2").statusCode()).isEqualTo(202);

        for (TestNode alone : cluster.nodes()) {
            TestNode other = cluster.othersThan(List.of(alone)).getFirst();
            other.stop();

            assertThat(alone.client().get("gone", "1/2").statusCode()).isEqualTo(404);

            cluster.start(other);
        }
    }

    static Stream<Arguments> missedChanges() {
        return Stream.of(
                missed("a write", client -> {}, client -> client.put("missed", "new", "1/2"), "new"),
                missed(
                        "an overwrite",
                        client -> client.put("missed", "old", "2/2"),
                        client -> client.put("missed", "new", "1/2"),
                        "new"),
                missed(
                        "a deletion",
                        client -> client.put("missed", "old", "2/2"),
                        client -> client.delete("missed", "1/2"),
                        ""),
                missed(
                        "a re-creation",
                        client -> {
                            client.put("missed", "old", "2/2");
                            client.delete("missed", "2/2");
                        },
                        client -> client.put("missed", "again", "1/2"),
                        "again"));
    }

    private static Arguments missed(
            String name, Consumer<NodeClient> before, Consumer<NodeClient> whileOneIsDown, String expected) {
        return Arguments.of(Named.of(name, before), whileOneIsDown, expected);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("missedChanges")
    void nodeThatMissedAChangeNeverBringsBackTheOlderState(
            Consumer<NodeClient> before, Consumer<NodeClient> whileOneIsDown, String expected) {
        before.accept(cluster.node(0).client());
        cluster.node(1).stop();
        whileOneIsDown.accept(cluster.node(0).client());
        cluster.start(cluster.node(1));

        for (TestNode node : cluster.nodes()) {
            var answer = node.client().get("missed", "2/2");

            assertThat(answer.statusCode()).isEqualTo(expected.isEmpty() ? 404 : 200);
            if (!expected.isEmpty()) {
                assertThat(text(answer)).isEqualTo(expected);
            }
        }
    }

    @Test
    void writeToOneOfOneIsStoredExactlyOnceAlsoAfterARestartOfAll() {
        cluster.node(0).client().put("single", "copy", "1/1");
        cluster.nodes().forEach(TestNode::stop);

        int copies = 0;
        for (TestNode alone : cluster.nodes()) {
            cluster.start(alone);
            copies += alone.client().get("single", "1/2").statusCode() == 200 ? 1 : 0;
            alone.stop();
        }

        assertThat(copies).isEqualTo(1);
    }

    @Test
    void nodeThatStartsServesClientsOnceItHasReachedTheOther() {
        TestNode starting = cluster.node(1);
        starting.stop();
        cluster.node(0).client().put("missed-at-start", "new", "1/2");
        CompletableFuture<Void> started;

        try (Fault _ = cluster.node(0).proxy().freeze()) {
            started = CompletableFuture.runAsync(() -> starting.start("--kvorum.rehearsal-max=1m"));
            eventually("it serves other members", () -> new RawClient(starting.peerPort()).isTakenIn());

            assertThat(started).failsWithin(WAITS);
            assertThat(new RawClient(starting.apiPort()).isTakenIn()).isFalse();
        }

        started.join();
        assertThat(text(starting.client().get("missed-at-start", "2/2"))).isEqualTo("new");
    }

    @Test
    @Timeout(60)
    void memberThatIsDownDelaysNoStart() {
        cluster.nodes().forEach(TestNode::stop);

        cluster.node(1).start("--kvorum.rehearsal-max=5m"); // Longer than any test may take.

        assertThat(cluster.node(1).client().get("never-stored", "1/2").statusCode())
                .isEqualTo(404);
    }

    @Test
    void quorumOfTwoIsOutOfReachWhileOneNodeIsDown() {
        cluster.node(1).stop();
        NodeClient client = cluster.node(0).client();

        assertThat(client.get("any", "2/2").statusCode()).isEqualTo(504);
        assertThat(client.put("any", "value", "2/2").statusCode()).isEqualTo(504);
        assertThat(client.delete("any", "2/2").statusCode()).isEqualTo(504);
        assertThat(text(client.delete("any", "2/2")))
                .contains("unknown, not failed")
                .contains("UNREACHABLE");
    }
}
