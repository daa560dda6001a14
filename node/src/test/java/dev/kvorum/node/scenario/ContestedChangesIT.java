package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.ClusterProcesses;
import dev.kvorum.node.cluster.Command;
import dev.kvorum.node.cluster.Command.Outcome;
import dev.kvorum.node.cluster.NodeProcess;
import dev.kvorum.node.cluster.SteadyLoad;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.change.ChangeTopologies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Changes of the members that do not go straight to their end, while clients read and write. */
@Timeout(600)
@Tag("check")
class ContestedChangesIT {
    private static final int KEYS = 3000;
    private static final int KEYS_MANY = 12_000;
    private static final String SLOW = "--kvorum.repair.rate=64KB"; // Some seconds, in which something can go wrong.

    @TempDir
    Path directory;

    private ClusterProcesses cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new ClusterProcesses(directory, 256, 4);
    }

    @AfterEach
    void end() {
        cluster.close();
    }

    @Test
    void memberThatIsDeadForGoodIsRemovedOnlyByWhoeverSaysSo() {
        cluster.start(4);
        List<NodeProcess> asked = List.of(
                cluster.nodes().get(0), cluster.nodes().get(2), cluster.nodes().get(3));
        try (SteadyLoad load = new SteadyLoad(asked, KEYS)) {
            load.fill();
            load.begin();
            cluster.nodes().get(1).kill();

            Outcome refused = cluster.command("start", "--remove=n2");
            Outcome removed = cluster.command("start", "--remove=n2", "--gone=n2");

            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.output()).contains("member \"n2\"").contains("can't be asked");
            assertThat(removed.exitCode()).as(removed.output()).isZero();
            assertThat(cluster.memberIds()).containsExactly("n1", "n3", "n4");
            load.end();
            load.assertNothingIsLost();
        }
    }

    /** It would go on answering reads as one of the next owners. */
    @Test
    void changeIsTakenBackAfterTheSwitchOnlyWhenThoseWhoJoinHaveHeardOfIt() {
        cluster.start(3);
        try (SteadyLoad load = new SteadyLoad(cluster.nodes().subList(0, 3), KEYS)) {
            load.fill();
            cluster.awaitMembership(3, 3);
            load.begin();
            Command driver = cluster.launch("start", cluster.add(3));
            eventually("data moves", () -> cluster.report(3).transfer().settled());
            driver.kill();
            eventually("it is moved", () -> cluster.report(3).transfer().isDone());
            cluster.publish(ChangeTopologies.switched(cluster.topology()));
            eventually("all read by it", () -> cluster.report(3).epoch() == cluster.epoch());
            cluster.nodes().get(3).kill();

            CompletableFuture<Outcome> cancelling = CompletableFuture.supplyAsync(() -> cluster.command("cancel"));
            eventually("reads are back", () -> cluster.topology().reads() == Reads.BACK);
            eventually(
                    "all others know",
                    () -> cluster.report(1).epoch() == cluster.epoch()
                            && cluster.report(2).epoch() == cluster.epoch());
            assertThat(cluster.memberIds()).as("while one that joins is away").contains("n4");
            assertThat(cancelling).isNotDone();
            var _ = cluster.nodes()
                    .get(3)
                    .launch(ClusterProcesses.AWAIT); // It will hardly be ready before it is no member any more.

            Outcome cancelled = cancelling.join();
            assertThat(cancelled.exitCode()).as(cancelled.output()).isZero();
            assertThat(cancelled.output()).contains("n4 can't be asked");
            assertThat(cluster.memberIds()).containsExactly("n1", "n2", "n3");
            assertThat(cluster.cellsOn(3)).isZero();
            load.end();
            load.assertNothingIsLost();
        }
    }

    @Test
    void ofTwoDriversInOppositeDirectionsTheOneThatDidNotGetItsWaySaysSo() {
        cluster.start(4, SLOW);
        try (SteadyLoad load = new SteadyLoad(cluster.nodes(), KEYS_MANY)) {
            load.fill();
            load.begin();
            Command removing = cluster.launch("start", "--remove=n4");
            eventually("data moves", () -> cluster.report(0).transfer().settled());
            removing.freeze(); // Else it may be done before the other has begun.
            eventually("some is moved", () -> cluster.verifiedOf(0) > 5);

            Outcome cancelled = cluster.command("cancel");

            removing.thaw();
            assertThat(cancelled.exitCode()).as(cancelled.output()).isZero();
            Outcome removed = removing.outcome();
            assertThat(removed.exitCode()).as(removed.output()).isEqualTo(1);
            assertThat(removed.output())
                    .contains("Somebody has taken the change back: the members are n1, n2, n3, n4, not n1, n2, n3.");
            assertThat(cluster.memberIds()).containsExactly("n1", "n2", "n3", "n4");
            load.end();
            load.assertNothingIsLost();
        }
    }
}
