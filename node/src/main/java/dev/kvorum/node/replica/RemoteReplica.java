package dev.kvorum.node.replica;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.config.PeerSettings;
import dev.kvorum.node.frame.CallFailedException;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import dev.kvorum.topology.Member;
import io.netty.handler.timeout.ReadTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.internal.shaded.reactor.pool.PoolAcquirePendingLimitException;
import reactor.netty.internal.shaded.reactor.pool.PoolAcquireTimeoutException;

/** Another member, called through WebClient. */
final class RemoteReplica implements Replica {
    private final Member member;
    private final WebClient client;
    private final URI readUri;
    private final URI writeUri;
    private final Duration timeout;
    private final long bytesMax;
    private final int answerMax;
    private final AtomicLong bytesInFlight = new AtomicLong();
    private final WriteReply stored;
    private final ReadReply absent;

    RemoteReplica(Member member, WebClient client, PeerSettings settings, int answerMax) {
        this.member = member;
        this.client = client;
        this.readUri = member.peer().resolve(PeerProtocol.READ);
        this.writeUri = member.peer().resolve(PeerProtocol.WRITE);
        this.timeout = settings.timeout();
        this.bytesMax = settings.bytesMax().toBytes();
        this.answerMax = answerMax;
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
    public Mono<WriteReply> write(Key key, Cell cell) {
        return Mono.defer(() -> bounded(key, cell));
    }

    /** One that is alone on its way may be as long as it likes. */
    private Mono<WriteReply> bounded(Key key, Cell cell) {
        int bytes = cell.bytes().length;
        long underWay = bytesInFlight.addAndGet(bytes);
        if (underWay > bytesMax && underWay > bytes) {
            bytesInFlight.addAndGet(-bytes);
            return Mono.just(failure(Reason.OVERLOADED, "too many bytes are on their way to it"));
        }
        Mono<WriteReply> reply = client.post()
                .uri(writeUri)
                .body((request, context) -> request.writeWith(
                        Mono.fromSupplier(() -> PeerProtocol.encodeWrite(request.bufferFactory(), key, cell))))
                .exchangeToMono(this::toWriteReply);
        return reply.onErrorResume(e -> Mono.just(failure(e))).doFinally(end -> bytesInFlight.addAndGet(-bytes));
    }

    @Override
    public Mono<ReadReply> read(Key key) {
        return client.post()
                .uri(readUri)
                .body((request, context) -> request.writeWith(
                        Mono.fromSupplier(() -> PeerProtocol.encodeRead(request.bufferFactory(), key))))
                .exchangeToMono(this::toReadReply)
                .onErrorResume(e -> Mono.just(failure(e)));
    }

    private Mono<WriteReply> toWriteReply(ClientResponse response) {
        return response.statusCode().equals(HttpStatus.NO_CONTENT)
                ? response.releaseBody().thenReturn(stored)
                : refusal(response).cast(WriteReply.class);
    }

    private Mono<ReadReply> toReadReply(ClientResponse response) {
        if (response.statusCode().equals(HttpStatus.NOT_FOUND)) {
            return response.releaseBody().thenReturn(absent);
        }
        return response.statusCode().equals(HttpStatus.OK)
                ? body(response, body -> new ReadReply.Found(member.id(), PeerProtocol.decodeCell(body)))
                : refusal(response).cast(ReadReply.class);
    }

    private Mono<ReplicaFailure> refusal(ClientResponse response) {
        return refusal(member.id(), response);
    }

    static Mono<ReplicaFailure> refusal(String member, ClientResponse response) {
        Reason reason = PeerProtocol.reasonOf(response.statusCode());
        return response.releaseBody()
                .thenReturn(new ReplicaFailure(
                        member, reason, "answered " + response.statusCode().value()));
    }

    private <T> Mono<T> body(ClientResponse response, Function<DataBuffer, T> decode) {
        return DataBufferUtils.join(response.body(BodyExtractors.toDataBuffers()), answerMax)
                .map(buffer -> {
                    try {
                        return decode.apply(buffer);
                    } finally {
                        DataBufferUtils.release(buffer);
                    }
                });
    }

    private ReplicaFailure failure(Throwable e) {
        return failure(member.id(), e, timeout);
    }

    /** How a call to a member that ended in an error has failed. */
    static ReplicaFailure failure(String member, Throwable e, Duration timeout) {
        Throwable root = NestedExceptionUtils.getMostSpecificCause(e);
        return switch (root) {
            case CallFailedException failed ->
                new ReplicaFailure(member, reasonOf(failed.reason()), String.valueOf(failed.getMessage()));
            case PoolAcquireTimeoutException full ->
                new ReplicaFailure(member, Reason.OVERLOADED, "no connection became free in time");
            case PoolAcquirePendingLimitException full ->
                new ReplicaFailure(member, Reason.OVERLOADED, "too many calls wait for a connection");
            case ReadTimeoutException late ->
                new ReplicaFailure(member, Reason.TIMED_OUT, "no answer within " + timeout.toMillis() + " ms");
            case MalformedCellException malformed ->
                new ReplicaFailure(member, Reason.BROKEN, "answered no cell: " + malformed.getMessage());
            default -> new ReplicaFailure(member, Reason.UNREACHABLE, root.toString());
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
