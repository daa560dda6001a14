package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.coordinator.Attempts;
import dev.kvorum.node.coordinator.InFlight;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.hint.Hints;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import reactor.core.publisher.Mono;

/**
 * What linearizable operations work with.
 *
 * @param clock issues ballots as well as versions
 * @param wallMillis milliseconds since 1970
 * @param deadline how long an operation may take
 * @param chance numbers from 0 to below 1; any thread
 * @param hints keeps what a voter did not take of a cell that was chosen
 */
public record RegisterParts(
        Electorates electorates,
        HybridClock clock,
        LongSupplier wallMillis,
        Duration deadline,
        Deadlines deadlines,
        DoubleSupplier chance,
        InFlight inFlight,
        Hints hints,
        RegisterMetrics metrics) {
    /**
     * Attempts at an operation on a key: the first by the epoch in force when it begins, the next by that in force when its voters fell short.
     *
     * @param nanos how long they may take in all
     */
    <O> Mono<O> attempts(Key key, long nanos, Attempts.ByPlan<Electorate, O> attempts) {
        return new Attempts<>(
                deadlines, nanos, electorates.of(key), former -> electorates.newerThan(key, former), attempts);
    }
}
