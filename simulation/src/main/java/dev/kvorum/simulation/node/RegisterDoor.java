package dev.kvorum.simulation.node;

import dev.kvorum.history.Answer;
import dev.kvorum.history.Request;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.consensus.ChangeOutcome;
import dev.kvorum.node.consensus.ChangeOutcome.Fate;
import dev.kvorum.node.consensus.Condition;
import dev.kvorum.node.consensus.RegisterCoordinator;
import reactor.core.publisher.Mono;

/** Where linearizable requests of clients come in. */
final class RegisterDoor {
    private final RegisterCoordinator registers;

    RegisterDoor(RegisterCoordinator registers) {
        this.registers = registers;
    }

    Mono<Answer> serve(Request request) {
        Key key = Key.of(request.key());
        return switch (request.kind()) {
            case READ -> registers.read(key).map(ClientDoor::answer);
            case WRITE ->
                registers
                        .change(key, Draft.ofValue(ClientDoor.utf8(request.value())), Condition.NONE)
                        .map(RegisterDoor::answer);
            case DELETE ->
                registers.change(key, Draft.tombstone(), Condition.NONE).map(RegisterDoor::answer);
        };
    }

    private static Answer answer(ChangeOutcome outcome) {
        return switch (outcome) {
            case ChangeOutcome.Written written -> ClientDoor.ok(null, written.version());
            case ChangeOutcome.ConditionFailed failed -> Answer.failed();
            case ChangeOutcome.Unavailable(var shortfall, Fate fate) -> of(fate);
            case ChangeOutcome.TimedOut(var shortfall, Fate fate) -> of(fate);
            case ChangeOutcome.Rejected(var shortfall, Fate fate) -> of(fate);
            case ChangeOutcome.Overtaken overtaken -> Answer.unknown();
        };
    }

    private static Answer of(Fate fate) {
        return switch (fate) {
            case NOT_DONE -> Answer.failed();
            case UNKNOWN -> Answer.unknown();
        };
    }
}
