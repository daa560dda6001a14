package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.quorum.Quorum;
import java.time.Duration;
import java.util.function.LongSupplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Asks all replicas of a key at once and answers with the newest of the first {@code ack} answers. Any thread. */
public final class ReadCoordinator {
    private final ReplicaPlans plans;
    private final HybridClock clock;
    private final LongSupplier wallMillis;
    private final Duration deadline;
    private final Scheduler timer;

    /** @param wallMillis milliseconds since 1970, for values that expire */
    public ReadCoordinator(
            ReplicaPlans plans, HybridClock clock, LongSupplier wallMillis, Duration deadline, Scheduler timer) {
        this.plans = plans;
        this.clock = clock;
        this.wallMillis = wallMillis;
        this.deadline = deadline;
        this.timer = timer;
    }

    /**
     * Reads a key. Once it is decided the replicas that have not answered are cancelled, and so are all if the answer is.
     *
     * @param quorum its {@code from} at most the number of owners
     * @return how it ended; never empty, never an error
     */
    public Mono<ReadOutcome> read(Key key, Quorum quorum) {
        return Flux.fromIterable(plans.plan(key, quorum).replicas())
                .flatMap(replica -> replica.read(key), quorum.from())
                // Before the tally: replies and deadline reach it one at a time.
                .takeUntilOther(Mono.delay(deadline, timer))
                .scan(new ReadTally(quorum), ReadTally::add)
                .takeUntil(ReadTally::isDecided)
                .last()
                .map(this::outcome);
    }

    private ReadOutcome outcome(ReadTally tally) {
        Cell newest = tally.newest();
        if (newest != null) {
            clock.observe(newest.version()); // One too far ahead was refused when it was written; here it is only not
            // adopted.
        }
        return tally.outcome(wallMillis.getAsLong());
    }
}
