package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.topology.Topology;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The topology file changes while nodes run. */
class TopologyChangeIT {
    @TempDir
    Path directory;

    private static Topology of(Topology topology, long epoch, int members) {
        return new Topology(
                topology.cluster(),
                epoch,
                topology.replicationFactor(),
                topology.partitions(),
                topology.members().subList(0, members));
    }

    private static long epochOf(TestNode node) {
        return node.bean(Membership.class).view().topology().epoch();
    }

    @Test
    void newEpochIsTakenOverWithoutARestartAndALowerOrBrokenOneIsNot() {
        try (TestCluster cluster = TestCluster.start(directory, 3)) {
            Topology all = cluster.topology();
            TestNode node = cluster.node(0);
            assertThat(node.client().get("any", "1/3").statusCode()).isEqualTo(404);

            cluster.publish(of(all, 5, 2));
            eventually("epoch 5 is in force", () -> epochOf(node) == 5);
            assertThat(node.client().get("any", "1/3").statusCode()).isEqualTo(400);
            assertThat(node.client().put("two", "members", "2/2").statusCode()).isEqualTo(201);

            cluster.publish("{\"epoch\": 6, \"members\": [".getBytes(StandardCharsets.UTF_8));
            assertNextEpochIsStill(5, cluster, node);
            cluster.publish(of(all, 4, 3));
            assertNextEpochIsStill(5, cluster, node);

            cluster.publish(of(all, 7, 3));
            eventually("epoch 7 is in force", () -> epochOf(node) == 7);
            assertThat(node.client().put("three", "members", "3/3").statusCode())
                    .isEqualTo(201);
            assertThat(text(node.client().send("GET", "/v0/topology", BodyPublishers.noBody())))
                    .contains("\"epoch\":7");
        }
    }

    /** Two more readings of the file have begun and ended: what stands in it had its chance. */
    private static void assertNextEpochIsStill(long epoch, TestCluster cluster, TestNode node) {
        long polls = polls(node);
        eventually("the file was read again", () -> polls(node) >= polls + 2);
        assertThat(epochOf(node)).isEqualTo(epoch);
        assertThat(cluster.topologyFile()).exists();
    }

    private static long polls(TestNode node) {
        return (long) node.meters()
                .get("kvorum.topology.file.reads")
                .functionCounter()
                .count();
    }
}
