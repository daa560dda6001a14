package dev.kvorum.load.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.cluster.NodeProcess;
import dev.kvorum.load.cluster.Sleeper;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClaimsTest {
    @TempDir
    private Path folder;

    private final Claims claims = new Claims();
    private List<NodeProcess> nodes;

    @BeforeEach
    void start() throws Exception {
        nodes = List.of(Sleeper.start(folder, "n1"), Sleeper.start(folder, "n2"), Sleeper.start(folder, "n3"));
    }

    @AfterEach
    void end() {
        nodes.forEach(NodeProcess::kill);
    }

    @Test
    void twoAreClaimedTogetherOrNone() {
        List<NodeProcess> two = claims.claim(nodes, 2, 2, 2);

        assertThat(two).containsExactly(nodes.get(2), nodes.get(0));
        claims.release(two);
        List<NodeProcess> one = claims.claim(nodes, 1, 1, 2);
        assertThat(one).containsExactly(nodes.get(1));
        assertThat(claims.claim(nodes, 2, 0, 2)).isEmpty();
        assertThat(claims.claim(nodes, 1, 0, 2)).containsExactly(nodes.get(0));
    }

    @Test
    void nobodyIsClaimedTwiceNorMoreThanMayBe() {
        assertThat(claims.claim(nodes, 1, 0, 2)).hasSize(1);
        assertThat(claims.claim(nodes.subList(0, 1), 1, 0, 2)).isEmpty();
        assertThat(claims.claimAll(nodes)).containsExactly(nodes.get(1), nodes.get(2));
        assertThat(claims.claim(nodes, 1, 0, 9)).isEmpty();
    }
}
