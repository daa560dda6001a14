package dev.kvorum.e2e.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.EntityClient;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Execution;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The image with a shell: the same node, and somebody can look at it from beside. */
class DebugImageE2E {
    private static final Quorum ALONE = new Quorum(1, 1);

    @RegisterExtension
    static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(1).ofDebugImage());

    @Test
    void nodeServesAndHasAShellBesideIt() {
        EntityClient client = new EntityClient(cluster.get());
        client.put(cluster.node(1), "seen", "from beside", ALONE).expect(201);

        Execution seen = Execution.in(
                cluster.node(1), List.of("bash", "-c", "id --user && ls /var/lib/kvorum && java --list-modules"));

        assertThat(seen.status()).as(seen.printed()).isZero();
        assertThat(seen.printed()).startsWith("10001").contains("cells").contains("jdk.jcmd");
    }
}
