package dev.kvorum.node.frame;

import dev.kvorum.node.frame.CallFailedException.Reason;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpResponse;
import reactor.core.publisher.Mono;

/**
 * WebClient's connector for calls to peers: a few connections to each, many calls at a time over every one. A cancelled call
 * closes nothing: the peer hears of it, if it has not answered yet. A call without a reply fails with {@link
 * CallFailedException}. Any thread.
 */
public final class FrameConnector implements ClientHttpConnector, AutoCloseable {
    /** Name of a request's attribute: how long its caller waits, in nanoseconds, as a {@link Long}; where it is missing, as long as for any reply. */
    public static final String WAIT_NANOS = "kvorum.wait.nanos";

    static final byte[] MAGIC = {'K', 'V', 'R', 'M'};
    static final byte VERSION = 2;

    private final PeerDialers dialers;
    private final ToIntFunction<String> operations;
    private final byte[] hello;
    private final FrameLimits limits;
    private final long waitNanos;
    private final FrameMetrics metrics;
    private final RandomGenerator random;
    private final Map<String, List<PeerLink>> links = new ConcurrentHashMap<>();
    private int turns; // How often the peers have become others.

    /**
     * @param dialers to which host and port are added
     * @param operations the number of the operation with a path; 0 if there is none
     * @param cluster the cluster that peers must belong to; null where the topology names none
     * @param random chooses pauses
     */
    public FrameConnector(
            PeerDialers dialers,
            ToIntFunction<String> operations,
            @Nullable String cluster,
            FrameLimits limits,
            FrameMetrics metrics,
            RandomGenerator random) {
        this.dialers = dialers;
        this.operations = operations;
        this.hello = hello(cluster);
        this.limits = limits;
        this.waitNanos = limits.replyTimeout().toNanos();
        this.metrics = metrics;
        this.random = random;
    }

    private static byte[] hello(@Nullable String cluster) {
        ByteBuf hello = Unpooled.buffer().writeBytes(MAGIC).writeByte(VERSION);
        hello.writeCharSequence(cluster == null ? "" : cluster, StandardCharsets.UTF_8);
        return ByteBufUtil.getBytes(hello);
    }

    @Override
    public Mono<ClientHttpResponse> connect(
            HttpMethod method, URI uri, Function<? super ClientHttpRequest, Mono<Void>> requestCallback) {
        int operation = operations.applyAsInt(uri.getPath());
        if (operation == 0) {
            return Mono.error(new IllegalArgumentException("No operation has the path " + uri.getPath()));
        }
        FrameRequest request = new FrameRequest(method, uri);
        return requestCallback
                .apply(request)
                .then(Mono.create(sink ->
                        call(uri, new Call(operation, waitNanos(request), request.body(), System::nanoTime, sink))));
    }

    private long waitNanos(ClientHttpRequest request) {
        return request.getAttributes().get(WAIT_NANOS) instanceof Long less ? Math.min(less, waitNanos) : waitNanos;
    }

    private void call(URI uri, Call call) {
        List<PeerLink> ways = links.get(uri.getRawAuthority());
        if (ways == null) {
            call.fail(gone(uri));
        } else {
            ofThisThread(ways).call(call);
        }
    }

    private static CallFailedException gone(URI uri) {
        return new CallFailedException(Reason.UNREACHABLE, uri.getRawAuthority() + " is no member's any more");
    }

    /** With what a call of this thread to that peer would fail at once if it were made now; null where it would be sent or wait. Any thread. */
    public @Nullable CallFailedException refusal(URI peer) {
        List<PeerLink> ways = links.get(peer.getRawAuthority());
        return ways == null ? gone(peer) : ofThisThread(ways).refusal();
    }

    /** Whether this thread's connection to that peer has failed several times in a row, or the peer is unknown. Any thread. */
    public boolean isMissing(URI peer) {
        List<PeerLink> ways = links.get(peer.getRawAuthority());
        return ways == null || ofThisThread(ways).isMissing();
    }

    /** Calls of one event loop go over a connection that lives on that loop: so none is handed over between loops. */
    private static PeerLink ofThisThread(List<PeerLink> ways) {
        for (PeerLink link : ways) {
            if (link.isOfThisThread()) {
                return link;
            }
        }
        return ways.get((int) (Thread.currentThread().threadId() % ways.size()));
    }

    private List<PeerLink> open(URI uri) {
        PeerDialers there = dialers.to(uri);
        return there.homes().stream()
                .map(loop -> new PeerLink(there, loop, hello, limits, metrics, random).open())
                .toList();
    }

    /**
     * Connects to these peers, before a call needs it. On all others it hangs up when what is on its way to them must have been answered: who has planned a call
     * while they were peers needs their reply, and may have to ask a second time.
     */
    public synchronized void become(Collection<URI> peers) {
        Set<String> wanted = peers.stream().map(URI::getRawAuthority).collect(Collectors.toSet());
        int turn = ++turns;
        peers.forEach(uri -> links.computeIfAbsent(uri.getRawAuthority(), name -> open(uri)));
        if (!wanted.containsAll(links.keySet())) {
            var _ = dialers.homes()
                    .getFirst()
                    .schedule(() -> hangUpOnAllBut(wanted, turn), 2 * waitNanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Not while the peers become others: one that comes back would lose the connection that it has been found to have. */
    private synchronized void hangUpOnAllBut(Set<String> wanted, int turn) {
        if (turns != turn) {
            return; // Others are wanted since, and somebody sees to that.
        }
        links.forEach((name, gone) -> {
            if (!wanted.contains(name) && links.remove(name, gone)) {
                gone.forEach(PeerLink::close);
            }
        });
    }

    /** A peer says that it is there: pauses before further attempts to connect to it are cut short. Any thread; does nothing where it is connected, or none. */
    public void hurry(URI peer) {
        links.getOrDefault(peer.getRawAuthority(), List.of()).forEach(PeerLink::hurry);
    }

    /** Calls in flight to all peers. Looks at many places: for metrics. */
    public int inFlight() {
        return links.values().stream()
                .flatMap(List::stream)
                .mapToInt(PeerLink::inFlight)
                .sum();
    }

    /** Connections that are good for calls. */
    public int ready() {
        return (int) links.values().stream()
                .flatMap(List::stream)
                .filter(PeerLink::isReady)
                .count();
    }

    /** Closes all connections; calls in flight fail. */
    @Override
    public synchronized void close() {
        hangUpOnAllBut(Set.of(), ++turns);
    }
}
