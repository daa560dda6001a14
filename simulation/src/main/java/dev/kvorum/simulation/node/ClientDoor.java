package dev.kvorum.simulation.node;

import dev.kvorum.history.Answer;
import dev.kvorum.history.Answer.Outcome;
import dev.kvorum.history.Request;
import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.coordinator.InvalidQuorumException;
import dev.kvorum.node.coordinator.QuorumPolicy;
import dev.kvorum.node.coordinator.ReadCoordinator;
import dev.kvorum.node.coordinator.ReadOutcome;
import dev.kvorum.node.coordinator.WriteCoordinator;
import dev.kvorum.node.coordinator.WriteOutcome;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Where requests of clients come in: what the entity API is to a real node, without HTTP. */
final class ClientDoor {
    private final QuorumPolicy policy;
    private final ReadCoordinator reads;
    private final WriteCoordinator writes;
    private final RegisterDoor registers;

    ClientDoor(QuorumPolicy policy, ReadCoordinator reads, WriteCoordinator writes, RegisterDoor registers) {
        this.registers = registers;
        this.policy = policy;
        this.reads = reads;
        this.writes = writes;
    }

    /**
     * Serves a request.
     *
     * @param saysQuorum whether the request names its quorum, which otherwise is left to the policy
     */
    Mono<Answer> serve(Request request, boolean saysQuorum) {
        if (request.mode() == Request.Mode.LINEARIZABLE) {
            return registers.serve(request);
        }
        int ack = saysQuorum ? request.ack() : QuorumPolicy.UNSAID;
        int from = saysQuorum ? request.from() : QuorumPolicy.UNSAID;
        Key key = Key.of(request.key());
        try {
            return switch (request.kind()) {
                case READ -> reads.read(key, policy.forRead(ack, from)).map(ClientDoor::answer);
                case WRITE ->
                    writes.write(key, Draft.ofValue(utf8(request.value())), policy.forWrite(ack, from))
                            .map(ClientDoor::answer);
                case DELETE ->
                    writes.write(key, Draft.tombstone(), policy.forWrite(ack, from))
                            .map(ClientDoor::answer);
            };
        } catch (InvalidQuorumException e) {
            return Mono.just(Answer.failed());
        }
    }

    static byte[] utf8(@Nullable String value) {
        return value == null ? new byte[0] : value.getBytes(StandardCharsets.UTF_8);
    }

    static Answer answer(ReadOutcome outcome) {
        return switch (outcome) {
            case ReadOutcome.Found found ->
                ok(valueOf(found.cell()), found.cell().version());
            case ReadOutcome.Absent absent -> ok(null, absent.deleted());
            case ReadOutcome.Unavailable unavailable -> Answer.failed();
            case ReadOutcome.TimedOut late -> Answer.failed();
            case ReadOutcome.Rejected rejected -> Answer.failed();
        };
    }

    /** Short of a quorum a write may have happened nevertheless. */
    private static Answer answer(WriteOutcome outcome) {
        return switch (outcome) {
            case WriteOutcome.Written written -> ok(null, written.version());
            case WriteOutcome.Unavailable unavailable -> Answer.unknown();
            case WriteOutcome.TimedOut late -> Answer.unknown();
            case WriteOutcome.Rejected rejected -> Answer.unknown();
            case WriteOutcome.Unstamped unstamped -> Answer.failed();
        };
    }

    static Answer ok(@Nullable String value, @Nullable Version version) {
        return new Answer(Outcome.OK, value, version == null ? null : version.toString());
    }

    static String valueOf(Cell cell) {
        return StandardCharsets.UTF_8.decode(cell.value()).toString();
    }
}
