package dev.kvorum.simulation.node;

import dev.kvorum.history.Answer;
import dev.kvorum.history.Request;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.consensus.ChangeOutcome;
import dev.kvorum.node.consensus.ChangeOutcome.Fate;
import dev.kvorum.node.consensus.Condition;
import dev.kvorum.node.consensus.RegisterCoordinator;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Where linearizable requests of clients come in. */
final class RegisterDoor {
    private final RegisterCoordinator registers;
    private final Runnable firstUse;
    private boolean isUsed;

    /** @param firstUse called before the first request is served */
    RegisterDoor(RegisterCoordinator registers, Runnable firstUse) {
        this.registers = registers;
        this.firstUse = firstUse;
    }

    Mono<Answer> serve(Request request) {
        if (!isUsed) {
            isUsed = true;
            firstUse.run();
        }
        Key key = Key.of(request.key());
        return switch (request.kind()) {
            case READ -> registers.read(key).map(ClientDoor::answer);
            case WRITE ->
                registers
                        .change(key, Draft.ofValue(ClientDoor.utf8(request.value())), condition(request))
                        .map(RegisterDoor::answer);
            case DELETE ->
                registers.change(key, Draft.tombstone(), condition(request)).map(RegisterDoor::answer);
        };
    }

    private static Condition condition(Request request) {
        String expected = request.expected();
        if (expected == null) {
            return new Condition.None();
        }
        return expected.equals(Request.ABSENT) ? new Condition.Absent() : new Condition.OneOf(Set.of(expected));
    }

    private static Answer answer(ChangeOutcome outcome) {
        return switch (outcome) {
            case ChangeOutcome.Written written -> ClientDoor.ok(null, written.version());
            case ChangeOutcome.ConditionFailed failed -> Answer.refused(textOf(failed.current()));
            case ChangeOutcome.Unavailable(var shortfall, Fate fate) -> of(fate);
            case ChangeOutcome.TimedOut(var shortfall, Fate fate) -> of(fate);
            case ChangeOutcome.Rejected(var shortfall, Fate fate) -> of(fate);
            case ChangeOutcome.Overtaken overtaken -> Answer.unknown();
        };
    }

    private static @Nullable String textOf(@Nullable Version version) {
        return version == null ? null : version.toString();
    }

    private static Answer of(Fate fate) {
        return switch (fate) {
            case NOT_DONE -> Answer.failed();
            case UNKNOWN -> Answer.unknown();
        };
    }
}
