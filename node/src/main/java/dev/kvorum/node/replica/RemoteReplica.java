package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.frame.CallFailedException;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.Member;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.client.ClientResponse;
import reactor.core.publisher.Mono;

/**
 * Another member, called through WebClient. If it goes by an older topology than the call it is brought to the newer one, and called once again; if
 * by a newer one this node is brought to that, and the call fails: it was planned by the older.
 *
 * <p>Writes go to all replicas, also to one that has been down for hours: where it is known that a call would fail at once, none is made ready.
 */
final class RemoteReplica implements Replica {
    private final Member member;
    private final PeerClient client;
    private final URI readUri;
    private final URI writeUri;
    private final URI bringUri;
    private final long timeoutNanos;
    private final long bytesMax;
    private final int answerMax;
    private final TopologyExchange exchange;
    private final LongUnaryOperator digests;
    private final AtomicLong bytesInFlight = new AtomicLong();
    private final WriteReply stored;
    private final ReadReply absent;

    RemoteReplica(Member member, PeerAccess access) {
        this.member = member;
        this.client = access.client();
        this.readUri = PeerClient.address(member.peer(), PeerOperation.READ);
        this.writeUri = PeerClient.address(member.peer(), PeerOperation.WRITE);
        this.bringUri = PeerClient.address(member.peer(), PeerOperation.BRING);
        this.timeoutNanos = access.settings().timeout().toNanos();
        this.bytesMax = access.settings().bytesMax().toBytes();
        this.answerMax = access.answerMax();
        this.exchange = access.exchange();
        this.digests = access.digests();
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
        return deferred(writeUri, key, cell, epoch);
    }

    @Override
    public Mono<WriteReply> bring(Key key, Cell cell, long epoch) {
        return deferred(bringUri, key, cell, epoch);
    }

    private Mono<WriteReply> deferred(URI uri, Key key, Cell cell, long epoch) {
        return Mono.defer(() -> {
            CallFailedException known = client.refusal().apply(uri);
            return known == null ? bounded(uri, key, cell, epoch) : Mono.just(failure(known, timeoutNanos));
        });
    }

    /** One that is alone on its way may be as long as it likes. */
    private Mono<WriteReply> bounded(URI uri, Key key, Cell cell, long epoch) {
        int bytes = cell.bytes().length;
        long underWay = bytesInFlight.addAndGet(bytes);
        if (underWay > bytesMax && underWay > bytes) {
            bytesInFlight.addAndGet(-bytes);
            return Mono.just(failure(Reason.OVERLOADED, "too many bytes are on their way to it"));
        }
        return sendWrite(uri, key, cell, epoch, true)
                .onErrorResume(e -> Mono.just(failure(e, timeoutNanos)))
                .doFinally(end -> bytesInFlight.addAndGet(-bytes));
    }

    private Mono<WriteReply> sendWrite(URI uri, Key key, Cell cell, long epoch, boolean first) {
        return client.call(
                uri,
                buffers -> PeerProtocol.encodeWrite(buffers, epoch, digests.applyAsLong(epoch), key, cell),
                response -> toWriteReply(response, () -> sendWrite(uri, key, cell, epoch, false), first));
    }

    private Mono<WriteReply> toWriteReply(ClientResponse response, Supplier<Mono<WriteReply>> again, boolean first) {
        if (response.statusCode().equals(HttpStatus.NO_CONTENT)) {
            return Mono.just(stored); // WebClient releases the body that nobody has taken.
        }
        if (response.statusCode().equals(PeerProtocol.BELOW)) {
            return PeerClient.read(
                    response, answerMax, body -> new WriteReply.Below(member.id(), PeerProtocol.decodeVersion(body)));
        }
        return refusal(response)
                .flatMap(refusal -> first && refusal.reason() == Reason.BEHIND ? again.get() : Mono.just(refusal));
    }

    @Override
    public Mono<ReadReply> read(Key key, long epoch, long waitNanos) {
        return sendRead(key, epoch, waitNanos, true)
                .onErrorResume(e -> Mono.just(failure(e, Math.min(waitNanos, timeoutNanos))));
    }

    private Mono<ReadReply> sendRead(Key key, long epoch, long waitNanos, boolean first) {
        Function<DataBufferFactory, DataBuffer> body =
                buffers -> PeerProtocol.encodeRead(buffers, epoch, digests.applyAsLong(epoch), key);
        Function<ClientResponse, Mono<ReadReply>> reply =
                response -> toReadReply(response, key, epoch, waitNanos, first);
        return waitNanos < timeoutNanos
                ? client.call(readUri, waitNanos, body, reply)
                : client.call(readUri, body, reply);
    }

    private Mono<ReadReply> toReadReply(ClientResponse response, Key key, long epoch, long waitNanos, boolean first) {
        if (response.statusCode().equals(HttpStatus.NOT_FOUND)) {
            return Mono.just(absent);
        }
        return response.statusCode().equals(HttpStatus.OK)
                ? PeerClient.read(
                        response,
                        answerMax,
                        body -> new ReadReply.Found(member.id(), PeerProtocol.decodeCell(body, key)))
                : refusal(response)
                        .flatMap(refusal -> first && refusal.reason() == Reason.BEHIND
                                ? sendRead(key, epoch, waitNanos, false)
                                : Mono.just(refusal));
    }

    private Mono<ReplicaFailure> refusal(ClientResponse response) {
        return CallFailures.refused(member, response, answerMax, exchange);
    }

    private ReplicaFailure failure(Throwable e, long waitNanos) {
        return CallFailures.of(member.id(), e, Duration.ofNanos(waitNanos));
    }

    private ReplicaFailure failure(Reason reason, String detail) {
        return new ReplicaFailure(member.id(), reason, detail);
    }
}
