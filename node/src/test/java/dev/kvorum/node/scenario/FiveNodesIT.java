package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.NodeClient.text;
import static dev.kvorum.node.cluster.PeerCalls.cellOn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.NodeClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Five nodes, where a key lies on three of them and every node coordinates. */
@Tag("check")
class FiveNodesIT {
    @TempDir
    static Path directory;

    static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(directory, 5);
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
    void nodeThatDoesNotOwnTheKeyCoordinatesAllTheSame() {
        List<TestNode> owners = cluster.replicasOf("elsewhere", 3);
        TestNode stranger = cluster.othersThan(owners).getFirst();

        assertThat(stranger.client().put("elsewhere", "value", "3/3").statusCode())
                .isEqualTo(201);

        assertThat(text(stranger.client().get("elsewhere", ""))).isEqualTo("value");
        assertThat(cellOn(stranger, "elsewhere")).isEmpty();
        assertThat(owners)
                .allSatisfy(owner -> assertThat(cellOn(owner, "elsewhere")).isPresent());
    }

    /** A minority of the replicas of a key: any one of its three, together with any node that has none. */
    @Test
    void defaultQuorumSurvivesTheLossOfAnyMinorityOfTheReplicas() {
        for (TestNode dead : cluster.nodes()) {
            dead.stop();
            NodeClient client = cluster.othersThan(List.of(dead)).getFirst().client();
            for (int i = 0; i < 20; i++) {
                String key = "minority-" + dead.id() + "-" + i;

                assertThat(client.put(key, "value", "").statusCode()).isEqualTo(201);
                assertThat(text(client.get(key, ""))).isEqualTo("value");
                assertThat(client.delete(key, "").statusCode()).isEqualTo(202);
            }
            cluster.start(dead);
        }
    }

    @Test
    void threeOfFiveSurvivesTheLossOfAnyTwoNodes() {
        for (int i = 0; i < 5; i++) {
            List<TestNode> dead = List.of(cluster.node(i), cluster.node((i + 1 + i % 3) % 5));
            dead.forEach(TestNode::stop);
            NodeClient client = cluster.othersThan(dead).getFirst().client();

            assertThat(client.put("five-" + i, "value", "3/5").statusCode()).isEqualTo(201);
            assertThat(text(client.get("five-" + i, "3/5"))).isEqualTo("value");
            assertThat(client.delete("five-" + i, "3/5").statusCode()).isEqualTo(202);

            cluster.startAll();
        }
    }

    /** Two dead nodes can be two of a key's three: then, and only then, the default quorum is out of reach. */
    @Test
    void withTwoNodesDeadTheDefaultQuorumServesExactlyTheKeysThatKeepTwoReplicas() {
        List<TestNode> dead = List.of(cluster.node(0), cluster.node(1));
        dead.forEach(TestNode::stop);

        for (int i = 0; i < 40; i++) {
            String key = "two-dead-" + i;
            long left = cluster.replicasOf(key, 3).stream()
                    .filter(node -> !dead.contains(node))
                    .count();

            assertThat(cluster.node(4).client().put(key, "value", "").statusCode())
                    .isEqualTo(left >= 2 ? 201 : 504);
        }
    }
}
