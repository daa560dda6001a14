package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.ClusterProcesses;
import dev.kvorum.node.cluster.Command;
import dev.kvorum.node.cluster.Command.Outcome;
import dev.kvorum.node.cluster.NodeClient;
import dev.kvorum.node.cluster.NodeProcess;
import dev.kvorum.node.cluster.RegisterClient;
import dev.kvorum.node.cluster.SteadyLoad;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.Gain;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

/** Members join and leave while clients read and write, as processes that are killed at the worst of times. */
@Timeout(600)
@Tag("check")
class MembersIT {
    private static final int KEYS = 4000;
    private static final int KEYS_OF_ONE = 60;
    private static final String SLOW = "--kvorum.repair.rate=64KB"; // Some seconds, in which something can go wrong.

    @TempDir
    Path directory;

    private ClusterProcesses cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new ClusterProcesses(directory, 256, 5);
    }

    @AfterEach
    void end() {
        cluster.close();
    }

    private static long bytesOf(SteadyLoad load) {
        return load.keys() * (long) load.bytesPerCell();
    }

    private static long gained(Topology begun) {
        return begun.nextOwners().stream()
                .flatMap(member -> Gain.of(begun, member.id()).stream())
                .filter(gain -> gain.brings(3))
                .count();
    }

    @Test
    void threeMembersBecomeFiveAndThreeAgainWhileClientsReadAndWrite() {
        cluster.start(3);
        try (SteadyLoad load = new SteadyLoad(cluster.nodes().subList(0, 3), KEYS)) {
            load.fill();
            cluster.awaitMembership(3, 4);
            load.begin();

            Outcome grown = cluster.command("start", cluster.add(3), cluster.add(4));

            assertThat(grown.exitCode()).as(grown.output()).isZero();
            assertThat(cluster.memberIds()).containsExactly("n1", "n2", "n3", "n4", "n5");
            Topology begun = cluster.joint(List.of(3, 4), MemberState.JOINING);
            double minimum = (double) bytesOf(load) * gained(begun) / begun.partitions();
            assertThat(cluster.movedBytes(3, 4) / minimum)
                    .as("moved of the minimum")
                    .isBetween(0.9, 1.15);

            Outcome shrunk = cluster.command("start", "--remove=n4", "--remove=n5");

            assertThat(shrunk.exitCode()).as(shrunk.output()).isZero();
            assertThat(cluster.memberIds()).containsExactly("n1", "n2", "n3");
            Topology leaving = cluster.joint(List.of(3, 4), MemberState.LEAVING);
            double back = (double) bytesOf(load) * gained(leaving) / leaving.partitions();
            assertThat(cluster.movedBytes(0, 1, 2) / back)
                    .as("moved of the minimum")
                    .isBetween(0.9, 1.15);
            cluster.nodes().subList(3, 5).forEach(NodeProcess::terminate);
            load.end();
            load.assertNothingIsLost();
        }
    }

    /** What was written while there were fewer members than copies is owed to those who join. */
    @Test
    void clusterThatGrowsFromOneMemberIsReadThroughThoseWhoHaveJoined() {
        cluster.start(1);
        cluster.awaitMembership(1, 2);
        RegisterClient first = new RegisterClient(cluster.nodes().getFirst().apiPort());
        for (int i = 0; i < KEYS_OF_ONE; i++) {
            assertThat(cluster.nodes()
                            .getFirst()
                            .client()
                            .put("plain-" + i, "value-" + i, "")
                            .statusCode())
                    .isEqualTo(201);
            assertThat(first.put("once-" + i, "value-" + i, "If-None-Match", "*")
                            .statusCode())
                    .isEqualTo(201);
        }

        Outcome grown = cluster.command("start", cluster.add(1), cluster.add(2));

        assertThat(grown.exitCode()).as(grown.output()).isZero();
        cluster.nodes().getFirst().kill();
        RegisterClient second = new RegisterClient(cluster.nodes().get(1).apiPort());
        for (int i = 0; i < KEYS_OF_ONE; i++) {
            String key = "plain-" + i;
            assertThat(cluster.nodes().get(2).client().get(key, ""))
                    .returns(200, HttpResponse::statusCode)
                    .returns("value-" + i, NodeClient::text);
            assertThat(second.put("once-" + i, "again", "If-None-Match", "*").statusCode())
                    .isEqualTo(412);
        }
    }

    @Test
    void cancellingHalfWayReturnsToTheFormerMembersAndWhatWasPulledIsDropped() {
        cluster.start(3, SLOW);
        try (SteadyLoad load = new SteadyLoad(cluster.nodes().subList(0, 3), KEYS)) {
            load.fill();
            cluster.awaitMembership(3, 4, SLOW);
            load.begin();
            Command driver = cluster.launch("start", cluster.add(3), cluster.add(4));
            eventually("half of it is moved", () -> cluster.verifiedOf(3) > 20);
            driver.kill();
            assertThat(cluster.command("start", "--remove=n1").output()).contains("a change is running already");

            Outcome cancelled = cluster.command("cancel");

            assertThat(cancelled.exitCode()).as(cancelled.output()).isZero();
            assertThat(cluster.memberIds()).containsExactly("n1", "n2", "n3");
            assertThat(cluster.cellsOn(3)).isZero();
            assertThat(cluster.cellsOn(4)).isZero();
            load.end();
            load.assertNothingIsLost();
        }
    }

    @Test
    void killedPullerSourceAndDriverGoOnWhereTheyStood() {
        cluster.start(3, SLOW);
        try (SteadyLoad load = new SteadyLoad(cluster.nodes().subList(0, 3), KEYS)) {
            load.fill();
            cluster.awaitMembership(3, 3, SLOW);
            load.begin();
            Command driver = cluster.launch("start", cluster.add(3));
            eventually("some is moved", () -> cluster.verifiedOf(3) > 10);

            driver.kill();
            cluster.nodes().get(3).kill();
            cluster.nodes().get(3).start(ClusterProcesses.AWAIT, SLOW);
            assertThat(cluster.verifiedOf(3)).as("what was noted").isGreaterThan(5);
            eventually("more is moved", () -> cluster.verifiedOf(3) > 30);
            cluster.nodes().get(1).kill();
            Command second = cluster.launch("resume");
            eventually("it waits for n2", () -> second.output().contains("n2 can't be asked"));
            second.kill(); // Before it can be done.
            cluster.nodes().get(1).start(SLOW);

            Outcome finished = cluster.command("resume");

            assertThat(finished.exitCode()).as(finished.output()).isZero();
            assertThat(cluster.memberIds()).containsExactly("n1", "n2", "n3", "n4");
            load.end();
            load.assertNothingIsLost();
        }
    }

    @Test
    void whatCanNotBeIsRefusedWithTheReasonAndNothingChanges() {
        cluster.start(3);
        cluster.awaitMembership(3, 3);
        long epoch = cluster.epoch();

        assertThat(cluster.command("plan", "--remove=n9").output())
                .contains("\"n9\" can't leave: the members are n1, n2, n3");
        assertThat(cluster.command("plan", "--remove=n3").output()).contains("too few for 3 copies");
        assertThat(cluster.command("start", "--remove=n1", "--remove=n2", "--remove=n3")
                        .output())
                .contains("nobody would own the data");
        assertThat(cluster.command("start", cluster.add(4)).output()).contains("nobody answers at");
        assertThat(cluster.command("start", "--add=id=n1,api=http://h:1,peer=http://h:2")
                        .output())
                .contains("\"n1\" can't join: it is a member");
        assertThat(cluster.command("start").output()).contains("nobody is to join or to leave");
        assertThat(cluster.command("cancel").output()).contains("No change of the members is running");
        assertThat(cluster.command("frobnicate").exitCode()).isEqualTo(2);
        assertThat(cluster.command("plan", "--add=n4").exitCode()).isEqualTo(2);
        Outcome planned = cluster.command("plan", cluster.add(3));
        assertThat(planned.output()).contains("n4 gets").contains("partitions");
        assertThat(planned.exitCode()).isZero();

        assertThat(cluster.epoch()).isEqualTo(epoch);
        assertThat(cluster.memberIds()).containsExactly("n1", "n2", "n3");
    }

    @Test
    void memberThatLostItsDiskIsRebuiltBeforeItsReadsCount() throws IOException {
        cluster.start(3);
        try (SteadyLoad load = new SteadyLoad(cluster.nodes().subList(0, 3), KEYS)) {
            load.fill();
            assertThat(cluster.command("record").output()).contains("are noted");
            UUID former = cluster.incarnationOf("n2");
            load.only(0, 2);
            load.begin();
            NodeProcess victim = cluster.nodes().get(1);
            victim.kill();
            FileSystemUtils.deleteRecursively(victim.dataDirectory());

            victim.start();

            assertThat(load.missedAlone(cluster, 1))
                    .as("keys that it said it does not have")
                    .isZero();
            eventually("it is rebuilt", Duration.ofSeconds(90), () -> cluster.rebuildingOf(1) == 0);
            assertThat(cluster.incarnationOf("n2")).isEqualTo(former);
            assertThat(cluster.command("record").output()).contains("are noted");
            assertThat(cluster.incarnationOf("n2")).isNotEqualTo(former);
            load.end();
            load.assertNothingIsLost();
        }
    }
}
