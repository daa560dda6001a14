package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.Fault;
import dev.kvorum.node.cluster.NodeClient;
import dev.kvorum.node.cluster.PeerCalls;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.cluster.TestNode;
import dev.kvorum.node.config.HttpSettings;
import dev.kvorum.node.frame.HostileCaller;
import dev.kvorum.node.frame.HostileCaller.Attack;
import dev.kvorum.node.replica.PeerOperation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What calls between members cost: connections, threads, and what strangers on their port can do. */
@Timeout(120)
@Tag("check")
class PeerConnectionsIT {

    @TempDir
    Path directory;

    private static List<CompletableFuture<HttpResponse<byte[]>>> reads(NodeClient client, int count, String quorum) {
        return IntStream.range(0, count)
                .mapToObj(i -> client.getLater("key", quorum))
                .toList();
    }

    private static int acceptedByAll(TestCluster cluster) {
        return cluster.nodes().stream()
                .mapToInt(node -> node.proxy().accepted())
                .sum();
    }

    @Test
    void noConnectionIsOpenedForAThousandCancelledReads() {
        try (TestCluster cluster = TestCluster.start(directory, 3, "--kvorum.read.fan-out=all")) {
            NodeClient client = cluster.node(0).client();
            client.put("key", "value", "3/3");
            int acceptedBefore = acceptedByAll(cluster);
            double openedBefore = cluster.node(0).counted("kvorum.peer.connections.opened");
            double cancelledBefore = cluster.node(0).counted("kvorum.replica.cancelled");

            try (Fault slow = cluster.node(2).proxy().delay(Duration.ofMillis(10))) {
                while (cluster.node(0).counted("kvorum.replica.cancelled") - cancelledBefore < 1000) {
                    assertThat(reads(client, 100, "2/3"))
                            .allMatch(read -> text(read.join()).equals("value"));
                }
            }

            assertThat(acceptedByAll(cluster)).isEqualTo(acceptedBefore);
            assertThat(cluster.node(0).counted("kvorum.peer.connections.opened"))
                    .isEqualTo(openedBefore);
        }
    }

    @Test
    void nodeHasAsManyThreadsOfItsOwnHoweverManyPeersItHas(@TempDir Path another) {
        assertThat(threadsOfANode(another, 5)).isEqualTo(threadsOfANode(directory, 3));
    }

    /**
     * How many each of so many nodes has, by kind: their names without numbers. Those of Reactor's own pools, which all nodes of this process share, are not
     * among them.
     */
    private Map<String, Long> threadsOfANode(Path directory, int size) {
        Set<Thread> ofOthers = Thread.getAllStackTraces().keySet();
        try (TestCluster cluster = TestCluster.start(directory, size)) {
            for (TestNode node : cluster.nodes()) {
                assertThat(reads(node.client(), 100, size + "/" + size))
                        .allMatch(read -> read.join().statusCode() == 404);
            }

            List<Thread> own = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("kvorum-") && !ofOthers.contains(thread))
                    .toList();
            assertThat(own)
                    .filteredOn(thread -> thread.getName().startsWith("kvorum-scout"))
                    .hasSize(size)
                    .allMatch(thread -> thread.getPriority() == Thread.MIN_PRIORITY);
            assertThat(own)
                    .filteredOn(thread -> thread.getName().startsWith("kvorum-http"))
                    .hasSize(size * cluster.node(0).bean(HttpSettings.class).loops());
            return own.stream()
                    .collect(Collectors.groupingBy(
                            thread -> thread.getName().replaceAll("[-0-9]+$", ""),
                            Collectors.collectingAndThen(Collectors.counting(), count -> Math.ceilDiv(count, size))));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"n2", "n1", "nobody", ""})
    void whoeverSaysThatAMemberIsThereHarmsNobody(String member) {
        try (TestCluster cluster = TestCluster.start(directory, 3)) {
            TestNode node = cluster.node(0);
            byte[] called = PeerCalls.at(0, member.getBytes(StandardCharsets.UTF_8));

            for (int i = 0; i < 10; i++) {
                assertThat(PeerCalls.post(node, PeerOperation.HERE, called).statusCode())
                        .isEqualTo(204);
            }

            assertThat(node.client().put("key", "value", "3/3").statusCode()).isEqualTo(201);
        }
    }

    @Test
    void strangersOnThePeersPortHarmNobody() throws IOException {
        Random random = new Random(7);
        List<Socket> silent = new ArrayList<>();
        try (TestCluster cluster = TestCluster.start(directory, 3)) {
            NodeClient client = cluster.node(0).client();
            client.put("key", "value", "3/3");
            TestNode attacked = cluster.node(1);
            HostileCaller hostile = new HostileCaller(attacked.peerPort(), "test", random);

            int malformed = 0;
            for (int i = 0; i < 60; i++) {
                silent.add(new Socket(InetAddress.getLoopbackAddress(), attacked.peerPort()));
                Attack attack = Attack.values()[random.nextInt(Attack.values().length)];
                hostile.attack(attack);
                malformed += attack.isMalformed() ? 1 : 0;

                assertThat(text(client.get("key", "3/3"))).isEqualTo("value");
                assertThat(client.put("other-" + i, "value", "3/3").statusCode())
                        .isEqualTo(201);
            }

            assertThat(attacked.meters()
                            .get("kvorum.frames.malformed")
                            .functionCounter()
                            .count())
                    .isGreaterThanOrEqualTo(malformed);
            eventually(
                    "all memory is given back",
                    () -> attacked.meters()
                                    .get("kvorum.peer.body.bytes")
                                    .gauge()
                                    .value()
                            == 0);
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }
}
