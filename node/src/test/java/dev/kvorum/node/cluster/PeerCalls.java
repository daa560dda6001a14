package dev.kvorum.node.cluster;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.frame.FrameConnector;
import dev.kvorum.node.frame.FrameLimits;
import dev.kvorum.node.frame.FrameMetrics;
import dev.kvorum.node.frame.PeerDialers;
import dev.kvorum.node.frame.PeerIdentity;
import dev.kvorum.node.http.ByteBudget;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.PeerOperation;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoop;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpClient;

/** Asks one node alone, as a peer would. */
public final class PeerCalls {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final LoopResources LOOPS = LoopResources.create("test-caller", 1, true);
    private static final byte[] NOTHING = {};
    private static final String ANY_NODE = "";

    private PeerCalls() {}

    /** What the node replied. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares replies.
    public record Reply(int statusCode, byte[] body) {
        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** The cell that this node itself holds under a key. */
    public static Optional<Cell> cellOn(TestNode node, String key) {
        Reply reply = post(node, PeerOperation.READ, atItsEpoch(node, key.getBytes(StandardCharsets.UTF_8)));
        return reply.statusCode() == 404 ? Optional.empty() : Optional.of(Cell.decode(reply.body()));
    }

    /** Gives a cell to this node alone. */
    public static void write(TestNode node, String key, Cell cell) {
        byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
        byte[] body = ByteBuffer.allocate(2 + utf8.length + cell.bytes().length)
                .putShort((short) utf8.length)
                .put(utf8)
                .put(cell.bytes())
                .array();
        Reply reply = post(node, PeerOperation.BRING, atItsEpoch(node, body));
        if (reply.statusCode() != 204) {
            throw new IllegalStateException(node.id() + " answered " + reply.statusCode());
        }
    }

    /** The rest of a call, behind the epoch that the node goes by. */
    public static byte[] atItsEpoch(TestNode node, byte[] rest) {
        return at(node.bean(Membership.class).view().epoch(), rest);
    }

    /** The rest of a call, behind an epoch. */
    public static byte[] at(long epoch, byte[] rest) {
        return at(epoch, 0, rest);
    }

    /** @param digest of the topology that the caller goes by; 0 where it does not say */
    public static byte[] at(long epoch, long digest, byte[] rest) {
        return ByteBuffer.allocate(2 * Long.BYTES + rest.length)
                .putLong(epoch)
                .putLong(digest)
                .put(rest)
                .array();
    }

    public static Reply post(TestNode node, PeerOperation operation, byte[] body) {
        return post(node.peerPort(), "", operation.code(), body);
    }

    /**
     * Calls any operation, whether there is one or not, of a node that listens there.
     *
     * @param cluster that the caller says it belongs to; empty for none
     */
    public static Reply post(int port, String cluster, int operation, byte[] body) {
        TcpClient tcp = TcpClient.create(ConnectionProvider.newConnection()).runOn(LOOPS);
        EventLoop loop = LOOPS.onClient(true).next();
        ByteBudget memory = new ByteBudget(64 << 20);
        FrameLimits limits = new FrameLimits(4 << 20, 16, 8 << 20, PATIENCE, PATIENCE, memory);
        URI uri = URI.create("http://127.0.0.1:" + port + "/operation");
        FrameConnector connector = new FrameConnector(
                new PeerDialers(tcp, List.of(loop), tcp, loop),
                path -> operation,
                PeerIdentity.ofNoMember(cluster.isEmpty() ? null : cluster),
                limits,
                new FrameMetrics(new SimpleMeterRegistry()),
                new Random(1));
        connector.become(Map.of(uri, ANY_NODE));
        try (connector) {
            Reply reply = WebClient.builder()
                    .clientConnector(connector)
                    .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(limits.bodyMax()))
                    .build()
                    .post()
                    .uri(uri)
                    .bodyValue(body)
                    .exchangeToMono(response -> response.bodyToMono(byte[].class)
                            .defaultIfEmpty(NOTHING)
                            .map(bytes -> new Reply(response.statusCode().value(), bytes)))
                    .block(PATIENCE);
            return Objects.requireNonNull(reply);
        }
    }
}
