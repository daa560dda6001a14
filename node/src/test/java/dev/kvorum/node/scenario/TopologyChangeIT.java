package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The topology file changes while nodes run. */
@Tag("check")
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
            assertThat(metrics(node)).contains("member=\"n3\"");

            cluster.publish(of(all, 5, 2));
            eventually("epoch 5 is in force", () -> epochOf(node) == 5);
            assertThat(node.client().get("any", "1/3").statusCode()).isEqualTo(400);
            assertThat(node.client().put("two", "members", "2/2").statusCode()).isEqualTo(201);
            assertThat(metrics(node)).contains("member=\"n2\"");
            eventually("meters of n3 go with it", () -> !metrics(node).contains("member=\"n3\""));

            cluster.publish("{\"epoch\": 6, \"members\": [".getBytes(StandardCharsets.UTF_8));
            assertNextEpochIsStill(5, cluster, node);
            cluster.publish(of(all, 4, 3));
            assertNextEpochIsStill(5, cluster, node);

            cluster.publish(of(all, 5 + Membership.EPOCHS_MISSED_MAX + 1, 3));
            assertNextEpochIsStill(5, cluster, node);
            cluster.publish(tooHigh(all));
            assertNextEpochIsStill(5, cluster, node);

            cluster.publish(of(all, 7, 3));
            eventually("epoch 7 is in force", () -> epochOf(node) == 7);
            assertThat(node.client().put("three", "members", "3/3").statusCode())
                    .isEqualTo(201);
            assertThat(metrics(node)).contains("kvorum_replica_calls_seconds_count{member=\"n3\"");
            assertThat(text(node.client().send("GET", "/v0/topology", BodyPublishers.noBody())))
                    .contains("\"epoch\":7");
        }
    }

    /** No topology can be made that has it. */
    private static byte[] tooHigh(Topology topology) {
        return new String(TopologyJson.write(topology), StandardCharsets.UTF_8)
                .replace("\"epoch\" : 1,", "\"epoch\" : " + Long.MAX_VALUE + ",")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** As the management port shows them. */
    private static String metrics(TestNode node) {
        return node.bean(PrometheusMeterRegistry.class).scrape();
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
