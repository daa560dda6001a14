package dev.kvorum.node.http.peer;

import dev.kvorum.node.cell.InvalidKeyException;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.frame.FrameService;
import dev.kvorum.node.repair.RepairService;
import dev.kvorum.node.replica.CallReply;
import dev.kvorum.node.replica.LocalReplica;
import dev.kvorum.node.replica.MalformedCallException;
import dev.kvorum.node.replica.PeerProtocol;
import dev.kvorum.node.replica.PeerProtocol.WriteCall;
import dev.kvorum.node.replica.ReadReply;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.WriteReply;
import java.nio.charset.StandardCharsets;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import reactor.core.publisher.Mono;

/** Answers the calls of {@link PeerProtocol} from the local replica and its repair, however they came. Any thread. */
public final class PeerService implements FrameService {
    private static final byte[] NOTHING = {};

    private final LocalReplica replica;
    private final RepairService repair;

    public PeerService(LocalReplica replica, RepairService repair) {
        this.replica = replica;
        this.repair = repair;
    }

    @Override
    public Mono<Reply> serve(String path, DataBuffer body) {
        try {
            return switch (path) {
                case PeerProtocol.READ ->
                    replica.read(PeerProtocol.decodeRead(body)).map(PeerService::reply);
                case PeerProtocol.WRITE -> write(PeerProtocol.decodeWrite(body));
                default -> other(path, body);
            };
        } catch (InvalidKeyException | MalformedCellException | MalformedCallException e) {
            return Mono.just(malformed(String.valueOf(e.getMessage())));
        }
    }

    private Mono<Reply> write(WriteCall call) {
        return replica.write(call.key(), call.cell()).map(PeerService::reply);
    }

    private Mono<Reply> other(String path, DataBuffer body) {
        return path.startsWith(PeerProtocol.REPAIR)
                ? repair.serve(path, PeerProtocol.read(body)).map(PeerService::reply)
                : Mono.just(malformed("nothing is served at " + path));
    }

    private static Reply reply(CallReply reply) {
        return switch (reply) {
            case CallReply.Done done ->
                new Reply(done.body().length == 0 ? HttpStatus.NO_CONTENT : HttpStatus.OK, done.body());
            case ReplicaFailure failure -> failed(failure);
        };
    }

    private static Reply reply(ReadReply reply) {
        return switch (reply) {
            case ReadReply.Found found -> new Reply(HttpStatus.OK, found.cell().bytes());
            case ReadReply.Absent absent -> new Reply(HttpStatus.NOT_FOUND, NOTHING);
            case ReplicaFailure failure -> failed(failure);
        };
    }

    private static Reply reply(WriteReply reply) {
        return switch (reply) {
            case WriteReply.Stored stored -> new Reply(HttpStatus.NO_CONTENT, NOTHING);
            case ReplicaFailure failure -> failed(failure);
        };
    }

    private static Reply failed(ReplicaFailure failure) {
        return text(PeerProtocol.statusOf(failure.reason()), failure.detail());
    }

    private static Reply malformed(String reason) {
        return text(HttpStatus.BAD_REQUEST, reason);
    }

    private static Reply text(HttpStatus status, String text) {
        return new Reply(status, text.getBytes(StandardCharsets.UTF_8));
    }
}
