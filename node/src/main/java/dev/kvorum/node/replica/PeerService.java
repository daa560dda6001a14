package dev.kvorum.node.replica;

import dev.kvorum.node.frame.FrameService;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.replica.PeerOperation.Epochs;
import dev.kvorum.node.replica.PeerProtocol.WriteCall;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import reactor.core.publisher.Mono;

/**
 * Answers the calls of other members, by the handler of each {@link PeerOperation}. Reads and writes of the local replica are served from the beginning; each
 * other feature registers its own operations while the node is put together, by one thread. Then any thread.
 */
public final class PeerService implements FrameService {
    private static final byte[] NOTHING = {};

    private final LocalReplica replica;
    private final Membership membership;
    private final Contradictions contradictions;
    private final Map<PeerOperation, Handler> handlers = new EnumMap<>(PeerOperation.class);

    /** Answers the calls of one operation, without blocking. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Answers one call.
         *
         * @param body what stands behind the head; must be read before this returns
         * @return exactly one reply, never an error
         * @throws MalformedCallException if the body is not what it should be
         */
        Mono<Reply> serve(MessageReader body, long epoch);
    }

    public PeerService(LocalReplica replica, Membership membership, Contradictions contradictions) {
        this.replica = replica;
        this.membership = membership;
        this.contradictions = contradictions;
        on(
                PeerOperation.READ,
                (body, epoch) ->
                        replica.read(PeerProtocol.decodeRead(body), epoch).map(this::reply));
        on(PeerOperation.WRITE, (body, epoch) -> {
            WriteCall call = PeerProtocol.decodeWrite(body);
            return replica.write(call.key(), call.cell(), epoch).map(this::reply);
        });
        on(PeerOperation.BRING, (body, epoch) -> {
            WriteCall call = PeerProtocol.decodeWrite(body);
            return replica.bring(call.key(), call.cell(), epoch).map(this::reply);
        });
    }

    /** @throws IllegalStateException if the operation has a handler */
    public void on(PeerOperation operation, Handler handler) {
        if (handlers.putIfAbsent(operation, handler) != null) {
            throw new IllegalStateException(operation + " has two handlers");
        }
    }

    /** @throws IllegalStateException if the operation has a handler */
    public void onCall(PeerOperation operation, CallHandler handler) {
        on(operation, (body, epoch) -> handler.serve(body.rest(), epoch).map(this::reply));
    }

    /** @throws IllegalStateException if an operation has no handler */
    public void requireAll() {
        List<PeerOperation> missing = Arrays.stream(PeerOperation.values())
                .filter(operation -> !handlers.containsKey(operation))
                .toList();
        if (!missing.isEmpty()) {
            throw new IllegalStateException("These operations have no handler: " + missing);
        }
    }

    @Override
    public Mono<Reply> serve(int code, DataBuffer body) {
        PeerOperation operation = PeerOperation.ofCode(code);
        Handler handler = operation == null ? null : handlers.get(operation);
        if (operation == null || handler == null) {
            return Mono.just(text(HttpStatus.BAD_REQUEST, "there is no operation " + code));
        }
        try {
            MessageReader in = MessageReader.of(body);
            PeerProtocol.Head head = PeerProtocol.decodeHead(in);
            ReplicaFailure refusal = refusal(operation.epochs(), head);
            return refusal == null ? handler.serve(in, head.epoch()) : Mono.just(failed(refusal));
        } catch (MalformedCallException e) {
            return Mono.just(text(HttpStatus.BAD_REQUEST, String.valueOf(e.getMessage())));
        }
    }

    private @Nullable ReplicaFailure refusal(Epochs served, PeerProtocol.Head head) {
        return switch (served) {
            case ANY -> null;
            case PRESENT -> {
                ReplicaFailure refusal = replica.refusal(head.epoch());
                yield refusal == null ? contradictions.refusal(head.epoch(), head.digest()) : refusal;
            }
            case CHECKED_BY_HANDLER -> contradictions.refusal(head.epoch(), head.digest());
        };
    }

    private Reply reply(CallReply reply) {
        return switch (reply) {
            case CallReply.Done done -> done(done.body());
            case ReplicaFailure failure -> failed(failure);
        };
    }

    private Reply reply(ReadReply reply) {
        return switch (reply) {
            case ReadReply.Found found -> new Reply(HttpStatus.OK, found.cell().bytes());
            case ReadReply.Absent absent -> new Reply(HttpStatus.NOT_FOUND, NOTHING);
            case ReplicaFailure failure -> failed(failure);
        };
    }

    private Reply reply(WriteReply reply) {
        return switch (reply) {
            case WriteReply.Stored stored -> new Reply(HttpStatus.NO_CONTENT, NOTHING);
            case WriteReply.Below below -> new Reply(PeerProtocol.BELOW, PeerProtocol.encodeVersion(below.floor()));
            case ReplicaFailure failure -> failed(failure);
        };
    }

    private Reply failed(ReplicaFailure failure) {
        HttpStatus status = PeerProtocol.statusOf(failure.reason());
        return switch (failure.reason()) {
            case STALE, BEHIND ->
                new Reply(status, PeerProtocol.encodeEpoch(membership.view().epoch()));
            case UNREACHABLE, TIMED_OUT, OVERLOADED, REFUSED, BROKEN -> text(status, failure.detail());
        };
    }

    static Reply done(byte[] body) {
        return new Reply(body.length == 0 ? HttpStatus.NO_CONTENT : HttpStatus.OK, body);
    }

    static Reply text(HttpStatus status, String text) {
        return new Reply(status, text.getBytes(StandardCharsets.UTF_8));
    }
}
