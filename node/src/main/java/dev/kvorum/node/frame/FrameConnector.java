package dev.kvorum.node.frame;

import dev.kvorum.node.frame.CallFailedException.Reason;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    private final PeerDialers dialers;
    private final ToIntFunction<String> operations;
    private final PeerIdentity self;
    private final FrameLimits limits;
    private final long waitNanos;
    private final FrameMetrics metrics;
    private final RandomGenerator random;
    private final Map<String, Ways> ways = new ConcurrentHashMap<>();
    private int turns; // How often the peers have become others.

    /**
     * @param dialers to which host and port are added
     * @param operations the number of the operation with a path; 0 if there is none
     * @param self who calls; peers must belong to the same cluster where its topology names one
     * @param random chooses pauses
     */
    public FrameConnector(
            PeerDialers dialers,
            ToIntFunction<String> operations,
            PeerIdentity self,
            FrameLimits limits,
            FrameMetrics metrics,
            RandomGenerator random) {
        this.dialers = dialers;
        this.operations = operations;
        this.self = self;
        this.limits = limits;
        this.waitNanos = limits.replyTimeout().toNanos();
        this.metrics = metrics;
        this.random = random;
    }

    /**
     * The connections to one address.
     *
     * @param member that is meant there; empty where any is
     */
    private record Ways(String member, List<PeerLink> links) {
        /** Calls of one event loop go over a connection that lives on that loop: so none is handed over between loops. */
        PeerLink ofThisThread() {
            for (PeerLink link : links) {
                if (link.isOfThisThread()) {
                    return link;
                }
            }
            return links.get((int) (Thread.currentThread().threadId() % links.size()));
        }

        void close() {
            links.forEach(PeerLink::close);
        }
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
        Ways there = ways.get(uri.getRawAuthority());
        if (there == null) {
            call.fail(gone(uri));
        } else {
            there.ofThisThread().call(call);
        }
    }

    private static CallFailedException gone(URI uri) {
        return new CallFailedException(Reason.UNREACHABLE, uri.getRawAuthority() + " is no member's any more");
    }

    /** With what a call of this thread to that peer would fail at once if it were made now; null where it would be sent or wait. Any thread. */
    public @Nullable CallFailedException refusal(URI peer) {
        Ways there = ways.get(peer.getRawAuthority());
        return there == null ? gone(peer) : there.ofThisThread().refusal();
    }

    /** Whether this thread's connection to that peer has failed several times in a row, or the peer is unknown. Any thread. */
    public boolean isMissing(URI peer) {
        Ways there = ways.get(peer.getRawAuthority());
        return there == null || there.ofThisThread().isMissing();
    }

    private Ways open(URI uri, String member) {
        PeerDialers there = dialers.to(uri);
        Greeting greeting = new Greeting(self, member);
        return new Ways(
                member,
                there.homes().stream()
                        .map(loop -> new PeerLink(there, loop, greeting, limits, metrics, random).open())
                        .toList());
    }

    /**
     * Connects to these peers, before a call needs it. On all others it hangs up when what is on its way to them must have been answered: who has planned a call
     * while they were peers needs their reply, and may have to ask a second time.
     *
     * @param peers ids of members by their address; an empty id means any node there
     */
    public synchronized void become(Map<URI, String> peers) {
        Set<String> wanted = peers.keySet().stream().map(URI::getRawAuthority).collect(Collectors.toSet());
        int turn = ++turns;
        peers.forEach(this::reach);
        if (!wanted.containsAll(ways.keySet())) {
            var _ = dialers.homes()
                    .getFirst()
                    .schedule(() -> hangUpOnAllBut(wanted, turn), 2 * waitNanos, TimeUnit.NANOSECONDS);
        }
    }

    private void reach(URI uri, String member) {
        Ways present = ways.get(uri.getRawAuthority());
        if (present != null && present.member().equals(member)) {
            return;
        }
        ways.put(uri.getRawAuthority(), open(uri, member));
        if (present != null) {
            present.close(); // They lead to a node that must say that it is another member now.
        }
    }

    /** Not while the peers become others: one that comes back would lose the connection that it has been found to have. */
    private synchronized void hangUpOnAllBut(Set<String> wanted, int turn) {
        if (turns != turn) {
            return; // Others are wanted since, and somebody sees to that.
        }
        ways.forEach((name, gone) -> {
            if (!wanted.contains(name) && ways.remove(name, gone)) {
                gone.close();
            }
        });
    }

    /** A peer says that it is there: pauses before further attempts to connect to it are cut short. Any thread; does nothing where it is connected, or none. */
    public void hurry(URI peer) {
        Ways there = ways.get(peer.getRawAuthority());
        if (there != null) {
            there.links().forEach(PeerLink::hurry);
        }
    }

    /** Calls in flight to all peers. Looks at many places: for metrics. */
    public int inFlight() {
        return all().mapToInt(PeerLink::inFlight).sum();
    }

    /** Connections that are good for calls. */
    public int ready() {
        return (int) all().filter(PeerLink::isReady).count();
    }

    private Stream<PeerLink> all() {
        return ways.values().stream().flatMap(there -> there.links().stream());
    }

    /** Closes all connections; calls in flight fail. */
    @Override
    public synchronized void close() {
        hangUpOnAllBut(Set.of(), ++turns);
    }
}
