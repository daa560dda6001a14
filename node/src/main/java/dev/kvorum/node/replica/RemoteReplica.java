package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.frame.CallFailedException;
import dev.kvorum.node.frame.ConnectionFault;
import dev.kvorum.node.frame.FrameConnector;
import dev.kvorum.node.frame.HeapBytes;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.Member;
import io.netty.handler.timeout.ReadTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/**
 * Another member, called through WebClient. If it goes by an older topology than the call it is brought to the newer one, and called once again; if
 * by a newer one this node is brought to that, and the call fails: it was planned by the older.
 *
 * <p>Writes go to all replicas, also to one that has been down for hours: where it is known that a call would fail at once, none is made ready.
 */
final class RemoteReplica implements Replica {
    private static final byte[] NOTHING = {};

    private final Member member;
    private final WebClient client;
    private final Function<URI, @Nullable CallFailedException> refusal;
    private final URI readUri;
    private final URI writeUri;
    private final long timeoutNanos;
    private final long bytesMax;
    private final int answerMax;
    private final TopologyExchange exchange;
    private final AtomicLong bytesInFlight = new AtomicLong();
    private final WriteReply stored;
    private final ReadReply absent;

    RemoteReplica(Member member, PeerAccess access) {
        this.member = member;
        this.client = access.client().web();
        this.refusal = access.client().refusal();
        this.readUri = member.peer().resolve(PeerOperation.READ.path());
        this.writeUri = member.peer().resolve(PeerOperation.WRITE.path());
        this.timeoutNanos = access.settings().timeout().toNanos();
        this.bytesMax = access.settings().bytesMax().toBytes();
        this.answerMax = access.answerMax();
        this.exchange = access.exchange();
        this.stored = new WriteReply.Stored(member.id());
        this.absent = new ReadReply.Absent(member.id());
    }

    @Override
    public String member() {
        return member.id();
    }

    /** Where calls to this replica go: a replica whose member has moved is replaced. */
    URI address() {
        return member.peer();
    }

    @Override
    public Mono<WriteReply> write(Key key, Cell cell, long epoch) {
        return Mono.defer(() -> {
            CallFailedException known = refusal.apply(writeUri);
            return known == null ? bounded(key, cell, epoch) : Mono.just(failure(known, timeoutNanos));
        });
    }

    /** One that is alone on its way may be as long as it likes. */
    private Mono<WriteReply> bounded(Key key, Cell cell, long epoch) {
        int bytes = cell.bytes().length;
        long underWay = bytesInFlight.addAndGet(bytes);
        if (underWay > bytesMax && underWay > bytes) {
            bytesInFlight.addAndGet(-bytes);
            return Mono.just(failure(Reason.OVERLOADED, "too many bytes are on their way to it"));
        }
        return sendWrite(key, cell, epoch, true)
                .onErrorResume(e -> Mono.just(failure(e, timeoutNanos)))
                .doFinally(end -> bytesInFlight.addAndGet(-bytes));
    }

    private Mono<WriteReply> sendWrite(Key key, Cell cell, long epoch, boolean first) {
        return client.post()
                .uri(writeUri)
                .body((request, context) -> request.writeWith(
                        Mono.fromSupplier(() -> PeerProtocol.encodeWrite(request.bufferFactory(), epoch, key, cell))))
                .exchangeToMono(response -> response.statusCode().equals(HttpStatus.NO_CONTENT)
                        ? Mono.just(stored) // WebClient releases the body that nobody has taken.
                        : refusal(response)
                                .flatMap(refusal -> first && refusal.reason() == Reason.BEHIND
                                        ? sendWrite(key, cell, epoch, false)
                                        : Mono.just(refusal)));
    }

    @Override
    public Mono<ReadReply> read(Key key, long epoch, long waitNanos) {
        return sendRead(key, epoch, waitNanos, true)
                .onErrorResume(e -> Mono.just(failure(e, Math.min(waitNanos, timeoutNanos))));
    }

    private Mono<ReadReply> sendRead(Key key, long epoch, long waitNanos, boolean first) {
        WebClient.RequestBodySpec call = client.post().uri(readUri);
        if (waitNanos < timeoutNanos) {
            call = call.attribute(FrameConnector.WAIT_NANOS, waitNanos);
        }
        return call.body((request, context) -> request.writeWith(
                        Mono.fromSupplier(() -> PeerProtocol.encodeRead(request.bufferFactory(), epoch, key))))
                .exchangeToMono(response -> toReadReply(response, key, epoch, waitNanos, first));
    }

    private Mono<ReadReply> toReadReply(ClientResponse response, Key key, long epoch, long waitNanos, boolean first) {
        if (response.statusCode().equals(HttpStatus.NOT_FOUND)) {
            return Mono.just(absent);
        }
        return response.statusCode().equals(HttpStatus.OK)
                ? body(response, answerMax, body -> new ReadReply.Found(member.id(), PeerProtocol.decodeCell(body)))
                : refusal(response)
                        .flatMap(refusal -> first && refusal.reason() == Reason.BEHIND
                                ? sendRead(key, epoch, waitNanos, false)
                                : Mono.just(refusal));
    }

    private Mono<ReplicaFailure> refusal(ClientResponse response) {
        return refusal(member, response, answerMax, exchange);
    }

    /** How a member has refused a call; where it is for the epoch, after both have been brought to the newer one as far as that is possible now. */
    static Mono<ReplicaFailure> refusal(
            Member member, ClientResponse response, int answerMax, TopologyExchange exchange) {
        Reason reason = PeerProtocol.reasonOf(response.statusCode());
        return switch (reason) {
            case STALE ->
                body(response, answerMax, PeerProtocol::decodeEpoch)
                        .flatMap(epoch -> exchange.learn(member, epoch)
                                .thenReturn(new ReplicaFailure(
                                        member.id(), reason, "it goes by the newer epoch " + epoch)));
            case BEHIND ->
                body(response, answerMax, PeerProtocol::decodeEpoch)
                        .flatMap(epoch -> exchange.teach(member)
                                .thenReturn(new ReplicaFailure(
                                        member.id(), reason, "it goes by the older epoch " + epoch)));
            case UNREACHABLE, TIMED_OUT, OVERLOADED, REFUSED, BROKEN ->
                response.releaseBody()
                        .thenReturn(new ReplicaFailure(
                                member.id(),
                                reason,
                                "answered " + response.statusCode().value()));
        };
    }

    private static <T> Mono<T> body(ClientResponse response, int answerMax, Function<MessageReader, T> decode) {
        return HeapBytes.joined(response.body(BodyExtractors.toDataBuffers()), answerMax)
                .defaultIfEmpty(DefaultDataBufferFactory.sharedInstance.wrap(NOTHING))
                .map(buffer -> {
                    try {
                        return decode.apply(MessageReader.of(buffer));
                    } finally {
                        DataBufferUtils.release(buffer);
                    }
                });
    }

    private ReplicaFailure failure(Throwable e, long waitNanos) {
        return failure(member.id(), e, Duration.ofNanos(waitNanos));
    }

    /** How a call to a member that ended in an error has failed. */
    static ReplicaFailure failure(String member, Throwable e, Duration timeout) {
        Throwable root = NestedExceptionUtils.getMostSpecificCause(e);
        return switch (root) {
            case CallFailedException failed ->
                new ReplicaFailure(member, reasonOf(failed.reason()), String.valueOf(failed.getMessage()));
            case ReadTimeoutException late ->
                new ReplicaFailure(member, Reason.TIMED_OUT, "no answer within " + timeout.toMillis() + " ms");
            case MalformedCellException malformed ->
                new ReplicaFailure(member, Reason.BROKEN, "answered no cell: " + malformed.getMessage());
            case MalformedCallException malformed ->
                new ReplicaFailure(member, Reason.BROKEN, "answered no epoch: " + malformed.getMessage());
            default -> new ReplicaFailure(member, Reason.UNREACHABLE, ConnectionFault.inWords(member, root));
        };
    }

    private static Reason reasonOf(CallFailedException.Reason reason) {
        return switch (reason) {
            case UNREACHABLE -> Reason.UNREACHABLE;
            case TIMED_OUT -> Reason.TIMED_OUT;
            case OVERLOADED -> Reason.OVERLOADED;
            case REFUSED -> Reason.REFUSED;
        };
    }

    private ReplicaFailure failure(Reason reason, String detail) {
        return new ReplicaFailure(member.id(), reason, detail);
    }
}
