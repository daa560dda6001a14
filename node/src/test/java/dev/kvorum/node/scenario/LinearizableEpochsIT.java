package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.PeerCalls;
import dev.kvorum.node.cluster.RegisterClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.node.cluster.TokenLog;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Reads;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Four real nodes, of which one leaves while words are appended under conditions. */
@Timeout(120)
@Tag("check")
class LinearizableEpochsIT {
    private static final int LOGS = 4; // Some of whose owners change.
    private static final int LEAVER = 0;

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

    private void publish(List<Member> members, Reads reads) {
        Topology present = present(cluster.node(1));
        Topology next = new Topology(present.cluster(), present.epoch() + 1, 3, present.partitions(), members, reads);
        for (TestNode node : cluster.nodes()) {
            PeerCalls.post(node, PeerOperation.TOPOLOGY, PeerCalls.at(0, TopologyJson.write(next)));
        }
        eventually(
                "all have the epoch",
                () -> cluster.nodes().stream().allMatch(node -> present(node).epoch() == next.epoch()));
    }

    private List<Member> members(MemberState leaver) {
        List<Member> members = new ArrayList<>();
        List<Member> present = present(cluster.node(1)).members();
        for (int i = 0; i < present.size(); i++) {
            Member member = present.get(i);
            members.add(new Member(
                    member.id(),
                    member.api(),
                    member.peer(),
                    member.zone(),
                    i == LEAVER ? leaver : MemberState.ACTIVE,
                    1,
                    member.incarnation()));
        }
        return members;
    }

    @Test
    void noAcknowledgedWordIsLostAndNoneIsThereTwiceWhileAMemberLeaves() throws InterruptedException {
        List<RegisterClient> stayers = cluster.nodes().subList(1, 4).stream()
                .map(node -> new RegisterClient(node.apiPort()))
                .toList();
        AtomicBoolean wanted = new AtomicBoolean(true);
        List<TokenLog> logs = new ArrayList<>();
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < LOGS; i++) {
            TokenLog log = new TokenLog("log-" + i, stayers);
            logs.add(log);
            int seed = i;
            writers.add(Thread.ofVirtual().start(() -> append(log, seed, wanted)));
        }

        awaitMore(logs);
        publish(members(MemberState.LEAVING), Reads.CURRENT);
        awaitMore(logs); // Each is written anew, to the next owners as well: nothing else has to be moved.
        publish(members(MemberState.LEAVING), Reads.NEXT);
        awaitMore(logs);
        publish(members(MemberState.ACTIVE).subList(LEAVER + 1, 4), Reads.CURRENT);
        awaitMore(logs);
        wanted.set(false);
        for (Thread writer : writers) {
            writer.join();
        }

        assertThat(logs).allSatisfy(log -> {
            assertThat(log.words()).doesNotHaveDuplicates();
            assertThat(log.words()).containsAll(log.acknowledged());
        });
    }

    private static void append(TokenLog log, int seed, AtomicBoolean wanted) {
        try {
            log.append(2, 1000, seed, wanted::get);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitMore(List<TokenLog> logs) {
        List<Integer> before =
                logs.stream().map(log -> log.acknowledged().size()).toList();
        eventually("words are appended to each", () -> {
            for (int i = 0; i < logs.size(); i++) {
                if (logs.get(i).acknowledged().size() < before.get(i) + 3) {
                    return false;
                }
            }
            return true;
        });
    }
}
