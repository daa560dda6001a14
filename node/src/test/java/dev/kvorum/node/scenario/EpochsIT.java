package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.NodeClient;
import dev.kvorum.node.cluster.PeerCalls;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Four real nodes whose topology changes at one of them, without a file: the others learn it by the calls between them. */
@Timeout(120)
@Tag("check")
class EpochsIT {
    @TempDir
    Path directory;

    private TestCluster cluster;

    @BeforeEach
    void start() {
        cluster = TestCluster.start(directory, 4);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static Topology present(TestNode node) {
        return node.bean(Membership.class).view().topology();
    }

    private static long epochOf(TestNode node) {
        return present(node).epoch();
    }

    private NodeClient client(int index) {
        return cluster.node(index).client();
    }

    private Topology next(Reads reads, MemberState... states) {
        Topology present = present(cluster.node(0));
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < states.length; i++) {
            Member member = present.members().get(i);
            members.add(new Member(
                    member.id(), member.api(), member.peer(), member.zone(), states[i], 1, member.incarnation()));
        }
        return new Topology(present.cluster(), present.epoch() + 1, 3, present.partitions(), members, reads);
    }

    private Topology nextWithoutChange() {
        return next(Reads.CURRENT, MemberState.ACTIVE, MemberState.ACTIVE, MemberState.ACTIVE, MemberState.ACTIVE);
    }

    /** As another member would. */
    private static PeerCalls.Reply push(TestNode node, byte[] topology) {
        return PeerCalls.post(node, PeerOperation.TOPOLOGY, PeerCalls.at(0, topology));
    }

    @Test
    void othersLearnANewEpochByTheCallsOfOneThatKnowsIt() {
        Topology next = nextWithoutChange();

        assertThat(TopologyJson.read(
                        push(cluster.node(0), TopologyJson.write(next)).body()))
                .isEqualTo(next);
        for (int i = 0; i < 20; i++) {
            assertThat(client(0).put("taught-" + i, "value", "3/3").statusCode())
                    .isEqualTo(201);
        }

        assertThat(cluster.nodes()).allSatisfy(node -> assertThat(present(node)).isEqualTo(next));
        assertThat(TopologyJson.read(push(cluster.node(3), new byte[0]).body()).epoch())
                .isEqualTo(next.epoch());
    }

    @Test
    void coordinatorThatIsStaleCatchesUpAndItsClientNoticesNothing() {
        push(cluster.node(1), TopologyJson.write(nextWithoutChange()));

        for (int i = 0; i < 20; i++) {
            assertThat(client(0).put("learnt-" + i, "value", "3/3").statusCode())
                    .isEqualTo(201);
            assertThat(text(client(2).get("learnt-" + i, "3/3"))).isEqualTo("value");
        }

        assertThat(cluster.nodes()).allSatisfy(node -> assertThat(epochOf(node)).isEqualTo(2));
    }

    /** As two people make them, or one file that was edited twice. By one a key may have other owners than by the other. */
    @Test
    void twoContentsOfOneEpochStopEachOtherUntilTheNextEpochIsPublished() {
        Topology right = nextWithoutChange();
        push(cluster.node(0), TopologyJson.write(right));
        push(cluster.node(1), TopologyJson.write(moved(right)));
        push(cluster.node(2), TopologyJson.write(right));
        push(cluster.node(3), TopologyJson.write(right));

        for (int i : List.of(0, 1)) {
            HttpResponse<byte[]> written = client(i).put("split", "value", "4/4");
            assertThat(written.statusCode()).isEqualTo(504);
            assertThat(text(written)).contains("epoch 2 has two contents");
            assertThat(client(i).get("split", "4/4").statusCode()).isEqualTo(504);
        }
        assertThat(client(0).put("agreed", "value", "3/4").statusCode()).isEqualTo(201);
        assertThat(cluster.node(1).counted("kvorum.topology.contradictions")).isPositive();

        push(cluster.node(0), TopologyJson.write(nextWithoutChange()));

        eventually(
                "all go by the next epoch",
                () -> client(1).put("healed", "value", "4/4").statusCode() == 201);
        assertThat(cluster.nodes()).allSatisfy(node -> assertThat(epochOf(node)).isEqualTo(3));
    }

    /** The same members, of which one is in another zone. */
    private static Topology moved(Topology topology) {
        List<Member> members = new ArrayList<>(topology.members());
        Member last = members.removeLast();
        members.add(new Member(
                last.id(), last.api(), last.peer(), "elsewhere", last.state(), last.weight(), last.incarnation()));
        return new Topology(topology.cluster(), topology.epoch(), 3, topology.partitions(), members, topology.reads());
    }

    @Test
    void callOfAStaleEpochIsRefusedAndOneOfAnEpochUnheardOfCausesNothing() {
        TestNode node = cluster.node(0);
        byte[] key = {'k'};
        push(node, TopologyJson.write(nextWithoutChange()));

        PeerCalls.Reply stale = PeerCalls.post(node, PeerOperation.READ, PeerCalls.at(1, key));
        PeerCalls.Reply unheardOf = PeerCalls.post(node, PeerOperation.READ, PeerCalls.at(Long.MAX_VALUE, key));

        assertThat(stale.statusCode()).isEqualTo(412);
        assertThat(stale.body()).isEqualTo(new byte[] {0, 0, 0, 0, 0, 0, 0, 2});
        assertThat(unheardOf.statusCode()).isEqualTo(425);
        assertThat(unheardOf.body()).isEqualTo(new byte[] {0, 0, 0, 0, 0, 0, 0, 2});
        assertThat(epochOf(node)).isEqualTo(2);
    }

    /** One that comes back after long does not know the present epoch. */
    @Test
    void repairIsFencedAsWellAndOnlyHowLongANodeHasLivedIsToldUnderAnyEpoch() {
        TestNode node = cluster.node(0);
        byte[] partition = {0, 3};
        push(node, TopologyJson.write(nextWithoutChange()));

        assertThat(PeerCalls.post(node, PeerOperation.REPAIR_RUN, PeerCalls.at(1, partition))
                        .statusCode())
                .isEqualTo(412);
        assertThat(PeerCalls.post(node, PeerOperation.REPAIR_RUN, PeerCalls.at(3, partition))
                        .statusCode())
                .isEqualTo(425);
        assertThat(PeerCalls.post(node, PeerOperation.REPAIR_RUN, PeerCalls.at(2, partition))
                        .statusCode())
                .isEqualTo(204);
        assertThat(PeerCalls.post(node, PeerOperation.REPAIR_LIFE, PeerCalls.at(1, new byte[0]))
                        .statusCode())
                .isEqualTo(200);
    }

    /** n4 takes the place of n3. */
    @Test
    void writeDuringAChangeNeedsTheOwnersBeforeAndAfterIt() {
        push(
                cluster.node(0),
                TopologyJson.write(next(
                        Reads.CURRENT,
                        MemberState.ACTIVE,
                        MemberState.ACTIVE,
                        MemberState.LEAVING,
                        MemberState.JOINING)));

        assertThat(client(0).put("joint", "value", "3/3").headers().firstValue("Kvorum-Acks"))
                .contains("3/3");
        assertThat(cluster.nodes())
                .allSatisfy(node -> assertThat(PeerCalls.cellOn(node, "joint")).isPresent());

        cluster.node(3).stop();
        assertThat(client(0).put("joint", "another", "3/3").statusCode()).isEqualTo(504);
        assertThat(client(0).put("joint", "another", "2/3").statusCode()).isEqualTo(201);
        assertThat(text(client(0).get("joint", "3/3"))).isEqualTo("another");
    }

    @Test
    void epochLearntFromOthersOutlivesARestart() {
        push(cluster.node(0), TopologyJson.write(nextWithoutChange()));

        cluster.nodes().forEach(TestNode::stop);
        cluster.start(cluster.node(0)); // Alone: there is nobody to learn it from.

        assertThat(epochOf(cluster.node(0))).isEqualTo(2);
    }

    @Test
    void foreignAndBrokenTopologiesChangeNothing() {
        Topology foreign = new Topology("other", 9, 3, 256, cluster.topology().members());

        assertThat(TopologyJson.read(push(cluster.node(0), TopologyJson.write(foreign))
                                .body())
                        .epoch())
                .isEqualTo(1);
        assertThat(push(cluster.node(0), new byte[] {'{'}).statusCode()).isEqualTo(400);
        assertThat(epochOf(cluster.node(0))).isEqualTo(1);
    }

    /** While it can't be reached: what the others decide meanwhile it must not contradict afterwards. */
    @Test
    void nodeThatMissedAnEpochIsRefusedUntilItHasCaughtUp() {
        TestNode missing = cluster.node(3);
        missing.stop();
        push(cluster.node(0), TopologyJson.write(nextWithoutChange()));
        for (int i = 0; i < 20; i++) {
            assertThat(client(0).put("missed-" + i, "value", "2/3").statusCode())
                    .isEqualTo(201);
        }
        cluster.start(missing);

        for (int i = 0; i < 20; i++) {
            assertThat(text(missing.client().get("missed-" + i, "2/3"))).isEqualTo("value");
        }

        eventually("it has caught up", () -> epochOf(missing) == 2);
    }

    @Test
    void thousandsOfCallsAtOnceFetchANewEpochWithoutAnError() {
        push(cluster.node(1), TopologyJson.write(nextWithoutChange()));
        List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();

        for (int i = 0; i < 500; i++) {
            answers.add(client(0).putLater("storm-" + i, "value", "3/3"));
        }

        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.join().statusCode()).isEqualTo(201));
    }
}
