package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static dev.kvorum.node.cluster.NodeClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cluster.PeerCalls;
import dev.kvorum.node.cluster.RawClient;
import dev.kvorum.node.cluster.TestCluster;
import dev.kvorum.node.replica.PeerOperation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many clients at once that take what there is, memory and connections, on both ports. No time-out is short: none of them goes away before it is counted. */
@Timeout(120)
@Tag("check")
class HostileCrowdIT {
    private static final int VALUE_MAX = 64 << 10;
    private static final int SHARE = 12; // Three quarters of a megabyte, which one address may take in part.
    private static final int CONNECTIONS_MAX = 800;
    private static final int UNFINISHED_HEADS_MAX = CONNECTIONS_MAX / 16;
    private static final int PEER_CONNECTIONS_MAX = 32;
    private static final String PUT = "PUT /v0/entity?id=budget HTTP/1.1\r\nHost: x\r\n";

    @TempDir
    static Path directory;

    static TestCluster cluster;

    @BeforeAll
    static void start() {
        cluster = TestCluster.start(
                directory,
                1,
                "--kvorum.http.value-max=64KB",
                "--kvorum.http.header-timeout=60s",
                "--kvorum.http.body-timeout=60s",
                "--kvorum.http.connections-max=" + CONNECTIONS_MAX,
                "--kvorum.http.event-loops=1",
                "--kvorum.peer.connections-max=" + PEER_CONNECTIONS_MAX,
                "--kvorum.http.bodies=1MB");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void survived() {
        eventually(
                "it serves again",
                () -> cluster.node(0).client().put("survivor", "yes", "").statusCode() == 201
                        && text(cluster.node(0).client().get("survivor", "")).equals("yes"));
    }

    private static RawClient raw() {
        return new RawClient(cluster.node(0).apiPort());
    }

    private static RawClient peers() {
        return new RawClient(cluster.node(0).peerPort());
    }

    @Test
    void addressThatHasItsShareIsRefusedWhileItsBodiesMayYetCome() throws IOException {
        try (Uploads uploads = new Uploads(SHARE, VALUE_MAX - 1)) {
            eventually("three quarters are taken", () -> bytesOfBodies() == SHARE * (VALUE_MAX - 1));

            eventually("one more is refused, or ended", () -> statusOf(uploads.another()) >= 400);
        }
        eventually("all bytes are given back", () -> bytesOfBodies() == 0);
    }

    /** Of the first line; 0 if there is none. */
    private static int statusOf(String answer) {
        return answer.isEmpty() ? 0 : Integer.parseInt(answer.substring(9, 12));
    }

    @Test
    void clientsThatOnlyAnnounceTheirBodiesTakeNoMemory() throws IOException {
        try (Uploads announced = new Uploads(64, 1)) {
            eventually("all have begun", () -> bytesOfBodies() == 64);

            assertThat(cluster.node(0)
                            .client()
                            .put("whole", new byte[VALUE_MAX], "")
                            .statusCode())
                    .isEqualTo(201);
        }
    }

    @Test
    void bodiesOfClientsTakeNoMemoryFromPeers() throws IOException {
        byte[] read = PeerCalls.atItsEpoch(cluster.node(0), "k".repeat(100).getBytes(StandardCharsets.US_ASCII));
        try (Uploads uploads = new Uploads(SHARE, VALUE_MAX - 1)) {
            eventually("three quarters are taken", () -> bytesOfBodies() == SHARE * (VALUE_MAX - 1));

            assertThat(PeerCalls.post(cluster.node(0), PeerOperation.READ, read).statusCode())
                    .isEqualTo(404);
        }
    }

    /** Clients that send so many bytes of a value, and then nothing. */
    private static final class Uploads implements AutoCloseable {
        private final List<Socket> sockets = new ArrayList<>();

        Uploads(int number, int bytes) throws IOException {
            String begun = PUT + "Content-Length: " + VALUE_MAX + "\r\n\r\n" + "x".repeat(bytes);
            for (int i = 0; i < number; i++) {
                sockets.add(raw().open());
                sockets.getLast().getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
            }
        }

        /** What one that takes the room of two more is answered. */
        String another() {
            try {
                return raw().untilClosed(
                                PUT + "Transfer-Encoding: chunked\r\n\r\n8000\r\n" + "x".repeat(0x8000) + "\r\n");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static double bytesOfBodies() {
        return cluster.node(0).meters().get("kvorum.http.body.bytes").gauge().value();
    }

    @Test
    void crowdOfSlowHeadsKeepsFewConnectionsAndDoesNotEndAnHonestHead() throws IOException {
        double closedBefore = cluster.node(0).counted("kvorum.connections.closed");
        List<Socket> crowd = new ArrayList<>();
        try (Socket honest = raw().open()) {
            beginHeads(crowd, 3 * UNFINISHED_HEADS_MAX);
            eventually(
                    "the oldest have lost their places",
                    () -> cluster.node(0).counted("kvorum.connections.closed") - closedBefore
                            >= 2 * UNFINISHED_HEADS_MAX);

            honest.getOutputStream().write("GET /v0/entity?id=crowd HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
            beginHeads(crowd, UNFINISHED_HEADS_MAX / 2);
            assertThat(cluster.node(0).client().put("crowd", "beside", "").statusCode())
                    .isEqualTo(201);
            assertThat(RawClient.exchange(honest, "Host: x\r\n\r\n", "")).startsWith("HTTP/1.1 200");
        } finally {
            for (Socket slow : crowd) {
                slow.close();
            }
        }
    }

    private static void beginHeads(List<Socket> crowd, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            Socket slow = raw().open();
            crowd.add(slow);
            slow.getOutputStream().write('G');
        }
    }

    @Test
    void connectionOnTopIsClosedOnThePeersPort() throws IOException {
        double refusedBefore = cluster.node(0).counted("kvorum.connections.refused");
        List<Socket> open = new ArrayList<>();
        try {
            while (cluster.node(0).counted("kvorum.connections.refused") == refusedBefore) {
                open.add(peers().open());
                LockSupport.parkNanos(1_000_000); // The kernel accepts connections faster than the node refuses them.
                assertThat(open).hasSizeLessThanOrEqualTo(PEER_CONNECTIONS_MAX + 1000);
            }
            assertThat(peers().untilClosed("")).isEmpty();
            assertThat(peerConnections()).isLessThanOrEqualTo(PEER_CONNECTIONS_MAX);
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
        eventually("all are counted out", () -> peerConnections() < PEER_CONNECTIONS_MAX / 2);
    }

    private static double peerConnections() {
        return cluster.node(0)
                .meters()
                .get("kvorum.peer.port.connections")
                .gauge()
                .value();
    }
}
