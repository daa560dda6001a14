package dev.kvorum.node.scenario;

import static dev.kvorum.node.cluster.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Version;
import dev.kvorum.node.cluster.NodeProcess;
import dev.kvorum.node.cluster.PeerCalls;
import dev.kvorum.node.cluster.RegisterClient;
import dev.kvorum.node.cluster.TokenLog;
import dev.kvorum.node.replica.PeerOperation;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.TopologyJson;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Linearizable operations on processes that are killed. */
@Timeout(600)
@Tag("check")
class LinearizableProcessesIT {
    private static final long SEED = 20261121;
    private static final int KILLS = 4;

    @TempDir
    Path directory;

    private List<NodeProcess> nodes = List.of();

    @BeforeEach
    void start() throws IOException {
        nodes = Stream.iterate(1, i -> i <= 3, i -> i + 1)
                .map(i -> new NodeProcess("n" + i, directory))
                .toList();
        List<Member> members = nodes.stream()
                .map(node -> new Member(
                        node.id(),
                        URI.create("http://127.0.0.1:" + node.apiPort()),
                        URI.create("http://127.0.0.1:" + node.peerPort()),
                        "zone",
                        MemberState.ACTIVE,
                        1,
                        null))
                .toList();
        Files.write(directory.resolve("topology.json"), TopologyJson.write(new Topology("killed", 1, 3, 64, members)));
        NodeProcess.startAll(nodes);
        nodes.forEach(node -> eventually(
                "it has found the others",
                () -> node.client().put("found", "", "3/3").statusCode() == 201));
    }

    @AfterEach
    void end() {
        nodes.forEach(NodeProcess::close);
    }

    /** Whoever dies may be coordinator or acceptor, between promise and accept, or between accept and commit. */
    @Test
    void noAcknowledgedWordIsLostAndNoneIsThereTwiceWhileNodesAreKilled() throws InterruptedException {
        TokenLog log = new TokenLog(
                "log",
                nodes.stream().map(node -> new RegisterClient(node.apiPort())).toList());
        AtomicBoolean wanted = new AtomicBoolean(true);
        Thread writers = Thread.ofVirtual().start(() -> appendTo(log, wanted));
        Random random = new Random(SEED);

        for (int i = 0; i < KILLS; i++) {
            int done = log.acknowledged().size();
            eventually("words are appended", () -> log.acknowledged().size() > done + 3);
            NodeProcess victim = nodes.get(random.nextInt(nodes.size()));
            victim.kill();
            victim.start();
        }
        wanted.set(false);
        writers.join();

        assertThat(log.words()).doesNotHaveDuplicates();
        assertThat(log.words()).containsAll(log.acknowledged());
        assertThat(log.words().size())
                .isLessThanOrEqualTo(log.acknowledged().size() + log.unknown().size());
    }

    private static void appendTo(TokenLog log, AtomicBoolean wanted) {
        try {
            log.append(4, Integer.MAX_VALUE, SEED, wanted::get);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void promiseHoldsAfterItsAcceptorWasKilled() {
        NodeProcess acceptor = nodes.getFirst();
        long now = System.currentTimeMillis() << 16;
        Version higher = new Version(now + (1000L << 16), 7);
        assertThat(prepare(acceptor, "promised", higher)[0]).isEqualTo((byte) 1);

        acceptor.kill();
        acceptor.start();

        byte[] outbid = prepare(acceptor, "promised", new Version(now, 7));
        assertThat(outbid[0]).isEqualTo((byte) 0);
        assertThat(ByteBuffer.wrap(outbid, 1, Long.BYTES).getLong()).isEqualTo(higher.hybridTime());
    }

    private static byte[] prepare(NodeProcess node, String key, Version ballot) {
        byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
        byte[] body = ByteBuffer.allocate(2 + utf8.length + 16 + 1)
                .putShort((short) utf8.length)
                .put(utf8)
                .putLong(ballot.hybridTime())
                .putLong(ballot.author())
                .put((byte) 0)
                .array();
        PeerCalls.Reply reply =
                PeerCalls.post(node.peerPort(), "", PeerOperation.REGISTER_PREPARE.code(), PeerCalls.at(1, body));
        assertThat(reply.statusCode()).isEqualTo(200);
        return reply.body();
    }
}
