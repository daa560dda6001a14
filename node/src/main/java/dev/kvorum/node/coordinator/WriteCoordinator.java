package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.quorum.Quorum;
import dev.kvorum.node.replica.WriteReply;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Writes a cell to all replicas of its key at once and answers at the {@code ack}-th success. Any thread. */
public final class WriteCoordinator {
    private final ReplicaPlans plans;
    private final HybridClock clock;
    private final Duration deadline;
    private final Scheduler timer;
    private final InFlight inFlight;

    public WriteCoordinator(
            ReplicaPlans plans, HybridClock clock, Duration deadline, Scheduler timer, InFlight inFlight) {
        this.plans = plans;
        this.clock = clock;
        this.deadline = deadline;
        this.timer = timer;
        this.inFlight = inFlight;
    }

    /**
     * Stamps the draft with a version and writes it. The write detaches from its answer: deciding does not cancel the slower replicas, nor
     * does a client that goes away. Subscribe once.
     *
     * @param quorum its {@code from} at most the number of owners
     * @return how it ended; never empty, never an error
     */
    public Mono<WriteOutcome> write(Key key, Draft draft, Quorum quorum) {
        return Mono.create(answer -> {
            Cell cell = draft.stamp(clock.next(), quorum.from());
            WriteTally tally = new WriteTally(cell.version(), quorum);
            Flux<WriteReply> replies = replies(key, cell, quorum);
            inFlight.begin();
            var _ = replies.doFinally(end -> inFlight.end())
                    // Before the tally: replies and deadline reach it one at a time.
                    .takeUntilOther(Mono.delay(deadline, timer))
                    .map(tally::add)
                    .subscribe(
                            soFar -> {
                                if (soFar.isDecided()) {
                                    answer.success(soFar.outcome());
                                }
                            },
                            answer::error,
                            () -> answer.success(tally.outcome()));
        });
    }

    private Flux<WriteReply> replies(Key key, Cell cell, Quorum quorum) {
        return Flux.fromIterable(plans.plan(key, quorum).replicas())
                .flatMap(replica -> replica.write(key, cell), quorum.from());
    }
}
