package dev.kvorum.node.http.peer;

import dev.kvorum.node.cell.InvalidKeyException;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.frame.FrameService;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.membership.TopologyExchange;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.node.replica.PeerProtocol.WriteCall;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.WriteReply;
import dev.kvorum.topology.InvalidTopologyException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import reactor.core.publisher.Mono;

/** Answers the calls of {@link PeerProtocol} from the local replica and its repair, however they came. Any thread. */
public final class PeerService implements FrameService {
    private static final byte[] NOTHING = {};

    private static final Logger LOG = LoggerFactory.getLogger(PeerService.class);

    private final LocalReplica replica;
    private final Membership membership;
    private final TopologyExchange exchange;
    private final BiFunction<String, byte[], Mono<CallReply>> repair;
    private final RegisterCalls registers;
    private final Consumer<String> here;

    /** Answers the calls of registers, by path, body behind the epoch, and epoch; may throw {@link MalformedCallException}. */
    @FunctionalInterface
    public interface RegisterCalls {
        Mono<CallReply> serve(String path, byte[] body, long epoch);
    }

    /**
     * @param repair answers the calls of repair, by path and body behind the epoch; may throw {@link MalformedCallException}
     * @param here is told the id of a member that says it is there; it may be anybody's word, and any id
     */
    public PeerService(
            LocalReplica replica,
            Membership membership,
            TopologyExchange exchange,
            BiFunction<String, byte[], Mono<CallReply>> repair,
            RegisterCalls registers,
            Consumer<String> here) {
        this.registers = registers;
        this.here = here;
        this.replica = replica;
        this.membership = membership;
        this.exchange = exchange;
        this.repair = repair;
    }

    @Override
    public Mono<Reply> serve(String path, DataBuffer body) {
        try {
            long epoch = PeerProtocol.decodeEpoch(body);
            return switch (path) {
                case PeerProtocol.READ ->
                    replica.read(PeerProtocol.decodeRead(body), epoch).map(this::reply);
                case PeerProtocol.WRITE -> write(PeerProtocol.decodeWrite(body), epoch);
                case PeerProtocol.TOPOLOGY -> topology(PeerProtocol.read(body));
                case PeerProtocol.HERE -> here(PeerProtocol.read(body));
                // Asked by one that has been away, and does not know of newer epochs.
                case PeerProtocol.REPAIR_LIFE ->
                    repair.apply(path, PeerProtocol.read(body)).map(this::reply);
                default -> other(path, PeerProtocol.read(body), epoch);
            };
        } catch (MalformedCallException | InvalidKeyException | MalformedCellException e) {
            return Mono.just(malformed(String.valueOf(e.getMessage())));
        }
    }

    private Mono<Reply> write(WriteCall call, long epoch) {
        return replica.write(call.key(), call.cell(), epoch).map(this::reply);
    }

    private Mono<Reply> other(String path, byte[] body, long epoch) {
        if (path.startsWith(PeerProtocol.REGISTER)) {
            return registers.serve(path, body, epoch).map(this::reply);
        }
        if (!path.startsWith(PeerProtocol.REPAIR)) {
            return Mono.just(malformed("nothing is served at " + path));
        }
        ReplicaFailure refusal = replica.refusal(epoch);
        return refusal == null ? repair.apply(path, body).map(this::reply) : Mono.just(failed(refusal));
    }

    private Mono<Reply> here(byte[] member) {
        here.accept(new String(member, StandardCharsets.UTF_8));
        return Mono.just(new Reply(HttpStatus.NO_CONTENT, NOTHING));
    }

    private Mono<Reply> topology(byte[] offered) {
        return exchange.answer(offered)
                .map(present -> new Reply(HttpStatus.OK, present))
                .onErrorResume(e -> Mono.just(notTaken(e)));
    }

    private static Reply notTaken(Throwable e) {
        return switch (e) {
            case InvalidTopologyException invalid -> malformed(String.valueOf(invalid.getMessage()));
            case RejectedExecutionException full -> text(HttpStatus.SERVICE_UNAVAILABLE, "too many topologies");
            default -> {
                LOG.error("A topology that another member sent could not be taken over", e);
                yield text(HttpStatus.INTERNAL_SERVER_ERROR, "it could not be taken over");
            }
        };
    }

    private Reply reply(CallReply reply) {
        return switch (reply) {
            case CallReply.Done done ->
                new Reply(done.body().length == 0 ? HttpStatus.NO_CONTENT : HttpStatus.OK, done.body());
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

    private static Reply malformed(String reason) {
        return text(HttpStatus.BAD_REQUEST, reason);
    }

    private static Reply text(HttpStatus status, String text) {
        return new Reply(status, text.getBytes(StandardCharsets.UTF_8));
    }
}
