package dev.kvorum.node.replica;

import dev.kvorum.node.frame.FrameConnector;
import dev.kvorum.node.frame.FrameLimits;
import dev.kvorum.node.frame.FrameMetrics;
import dev.kvorum.node.frame.PeerDialers;
import dev.kvorum.node.frame.PeerIdentity;
import io.netty.channel.EventLoop;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpClient;

/**
 * Asks nodes, members or not, over connections of its own: before this node has those of {@link PeerTransport}, or beyond the members. The connections end when
 * it is closed. Any thread.
 *
 * <p>A call may take {@value #PATIENCE_SECONDS} s, and as long to connect, whatever the settings give a call of a request: a lost packet is sent again in that time, and a topology is
 * synced to the disk.
 */
public final class PeerInquiry implements AutoCloseable {
    static final int PATIENCE_SECONDS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(PATIENCE_SECONDS);

    private final FrameConnector frames;
    private final PeerClient client;
    private final int answerMax;
    private final Map<URI, String> asked = new HashMap<>();
    private boolean closed;

    /** @param cluster that nodes must belong to; null where the topology names none */
    public PeerInquiry(FrameLimits limits, FrameMetrics metrics, LoopResources loops, @Nullable String cluster) {
        TcpClient tcp = PeerTransport.tcp(PATIENCE).runOn(loops);
        FrameLimits patient = new FrameLimits(
                limits.bodyMax(),
                limits.callsMax(),
                limits.bytesMax(),
                PATIENCE,
                limits.silenceMax(),
                limits.allowance());
        EventLoop loop = loops.onClient(true).next();
        RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
        this.frames = new FrameConnector(
                new PeerDialers(tcp, List.of(loop), tcp, loop),
                PeerOperation::codeOf,
                PeerIdentity.ofNoMember(cluster),
                patient,
                metrics,
                random);
        this.client = PeerClient.of(WebClient.builder().clientConnector(frames).build());
        this.answerMax = limits.bodyMax();
    }

    /**
     * Makes a call, which is answered by exactly one reply; what goes wrong is a reply as well, never an error signal.
     *
     * @param node its id: another node at that address is not asked
     * @param operation one that is served at any epoch
     * @param body what stands behind the head
     */
    public Mono<CallReply> call(String node, URI peer, PeerOperation operation, long epoch, byte[] body) {
        return Mono.defer(() -> {
            String meant = connect(node, peer);
            if (!meant.equals(node)) {
                String detail = "another member is asked at its address: " + meant;
                return Mono.just(new ReplicaFailure(node, ReplicaFailure.Reason.UNREACHABLE, detail));
            }
            return client.call(
                            PeerClient.address(peer, operation),
                            buffers -> PeerProtocol.encode(buffers, epoch, 0, body),
                            response -> reply(node, response))
                    .onErrorResume(e -> Mono.just(CallFailures.of(node, e, PATIENCE)));
        });
    }

    /**
     * Not any more when this is closed: nobody would close the connection.
     *
     * @return the node that is meant at that address: the first that was
     */
    private synchronized String connect(String node, URI peer) {
        String first = asked.putIfAbsent(peer, node);
        if (first == null && !closed) {
            frames.become(asked);
        }
        return first == null ? node : first;
    }

    private Mono<CallReply> reply(String node, ClientResponse response) {
        Mono<byte[]> body = PeerClient.body(response, answerMax);
        return response.statusCode().is2xxSuccessful()
                ? body.map(CallReply.Done::new)
                : body.map(words -> new ReplicaFailure(
                        node, PeerProtocol.reasonOf(response.statusCode()), CallFailures.inWords(response, words)));
    }

    @Override
    public synchronized void close() {
        closed = true;
        frames.close();
    }
}
