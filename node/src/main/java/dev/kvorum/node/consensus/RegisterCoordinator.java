package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.consensus.ChangeOutcome.Fate;
import dev.kvorum.node.coordinator.Attempt;
import dev.kvorum.node.coordinator.ReadOutcome;
import dev.kvorum.node.coordinator.Shortfall;
import dev.kvorum.node.replica.ReplicaFailure;
import dev.kvorum.node.replica.ReplicaFailure.Reason;
import java.util.List;
import java.util.concurrent.TimeoutException;
import reactor.core.publisher.Mono;

/** Linearizable reads and writes, and conditional writes, which are that always. Any thread. */
public final class RegisterCoordinator {
    private final RegisterParts parts;
    private final Turns turns = new Turns();
    private final ChangesUnderWay underWay = new ChangesUnderWay();

    public RegisterCoordinator(RegisterParts parts) {
        this.parts = parts;
    }

    /**
     * Reads the newest cell. Every linearizable operation that ended before was seen, and none that begins after it has ended finds anything older.
     *
     * @return how it ended; never empty, never an error
     */
    public Mono<ReadOutcome> read(Key key) {
        return Mono.defer(() -> {
            long nanos = parts.deadline().toNanos();
            return parts.attempts(
                            key, nanos, (Electorate electorate, Attempt attempt) -> read(key, electorate, attempt))
                    .timeout(parts.deadlines().after(nanos))
                    .onErrorResume(TimeoutException.class, e -> Mono.just(late(key)));
        });
    }

    private ReadOutcome late(Key key) {
        return new ReadOutcome.TimedOut(
                new Shortfall(parts.electorates().of(key).quorum(), 0, List.of()));
    }

    private Mono<ReadOutcome> read(Key key, Electorate electorate, Attempt attempt) {
        return new RegisterRead(parts, key, electorate).run().flatMap(result -> {
            Poll poll = result.poll();
            if (poll.isWon()) {
                return Mono.just(found(result));
            }
            Shortfall shortfall = poll.shortfall();
            boolean isRenewed = parts.deadlines().now() < attempt.deadline() && attempt.isSuperseded(shortfall);
            return isRenewed ? Mono.empty() : Mono.just(ReadOutcome.outOfReach(shortfall));
        });
    }

    private ReadOutcome found(RegisterRead.Result result) {
        Poll poll = result.poll();
        Cell newest = result.newest();
        var quorum = poll.electorate().quorum();
        return newest != null && newest.isVisibleAt(parts.wallMillis().getAsLong())
                ? new ReadOutcome.Found(newest, poll.acks(), quorum)
                : new ReadOutcome.Absent(newest == null ? null : newest.version(), poll.acks(), quorum);
    }

    /**
     * Writes if the condition holds. Exactly one of those that ask for the same version, or for none, has its way. It detaches from its answer: a client that
     * goes away takes nothing back, and what it has under way is still bounded. Subscribe once.
     *
     * @return how it ended; never empty, never an error
     */
    public Mono<ChangeOutcome> change(Key key, Draft draft, Condition condition) {
        int length = draft.valueLength();
        return Mono.defer(() -> underWay.begin(length) ? begun(key, draft, condition, length) : Mono.just(full(key)))
                .cache();
    }

    private Mono<ChangeOutcome> begun(Key key, Draft draft, Condition condition, int length) {
        parts.inFlight().begin();
        return new RegisterChange(parts, turns, key, draft, condition).run().doFinally(end -> {
            underWay.end(length);
            parts.inFlight().end();
        });
    }

    private ChangeOutcome full(Key key) {
        Electorate electorate = parts.electorates().of(key);
        ReplicaFailure failure = new ReplicaFailure(
                parts.electorates().self(), Reason.OVERLOADED, "it has too many linearizable writes under way");
        return new ChangeOutcome.Rejected(new Shortfall(electorate.quorum(), 0, List.of(failure)), Fate.NOT_DONE);
    }

    /** Finishes what another has left half-way, if there is something, and makes it certain. Never an error. */
    Mono<ChangeOutcome> settle(Key key) {
        return Mono.defer(() -> new RegisterChange(parts, turns, key, null, new Condition.None()).run());
    }
}
