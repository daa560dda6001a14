package dev.kvorum.node.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a node makes of its topology file at a start. */
@Timeout(60)
class TopologyFileIT {
    @TempDir
    Path directory;

    /** The others would refuse each call of this node. */
    @Test
    void fileOfTheSameEpochWithOtherContentsIsRefused() {
        try (TestCluster cluster = TestCluster.start(directory, 1)) {
            TestNode node = cluster.node(0);
            Topology first = cluster.topology();
            node.stop();

            cluster.publish(new Topology("test", 1, 3, 256, moved(first)));
            assertThatThrownBy(node::start).hasStackTraceContaining("has its epoch 1: raise the epoch");

            cluster.publish(new Topology("test", 2, 3, 256, moved(first)));
            node.start();
            assertThat(node.isRunning()).isTrue();
        }
    }

    /** The same members in another zone. */
    private static List<Member> moved(Topology topology) {
        return topology.members().stream()
                .map(member -> new Member(
                        member.id(),
                        member.api(),
                        member.peer(),
                        "elsewhere",
                        member.state(),
                        member.weight(),
                        member.incarnation()))
                .toList();
    }

    @Test
    void fileThatIsTooFarAboveWhatTheNodeHasFollowedIsRefused() {
        try (TestCluster cluster = TestCluster.start(directory, 1)) {
            TestNode node = cluster.node(0);
            Topology first = cluster.topology();
            node.stop();

            cluster.publish(new Topology("test", 1_000_002, 3, 256, first.members()));
            assertThatThrownBy(node::start).hasStackTraceContaining("must be at most 1000000 above");

            cluster.publish(new Topology("test", 1_000_001, 3, 256, first.members()));
            node.start();
            assertThat(node.isRunning()).isTrue();
        }
    }
}
