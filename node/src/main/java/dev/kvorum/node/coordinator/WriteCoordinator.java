package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.clock.ClockObjection;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.hint.Hints;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import reactor.core.publisher.Mono;

/** Writes a cell to all replicas of its key at once and answers at the {@code ack}-th success; for a replica that does not take it, or is spared it as it is silent, a hint is kept. Any thread. */
public final class WriteCoordinator {
    private final ReplicaPlans plans;
    private final Stamping stamping;
    private final Duration deadline;
    private final Deadlines deadlines;
    private final InFlight inFlight;
    private final Hints hints;

    public WriteCoordinator(
            ReplicaPlans plans,
            Stamping stamping,
            Duration deadline,
            Deadlines deadlines,
            InFlight inFlight,
            Hints hints) {
        this.plans = plans;
        this.stamping = stamping;
        this.deadline = deadline;
        this.deadlines = deadlines;
        this.inFlight = inFlight;
        this.hints = hints;
    }

    /**
     * Stamps the draft with a version and writes it. The write detaches from its answer: deciding does not cancel the slower replicas, nor
     * does a client that goes away. Subscribe once.
     *
     * @param asked checked by the {@link QuorumPolicy}; it is completed here, by the members there are now
     * @return how it ended; never empty, never an error
     */
    public Mono<WriteOutcome> write(Key key, Draft draft, AskedQuorum asked) {
        Optional<ClockObjection> objection = stamping.objection().get();
        if (objection.isPresent()) {
            return Mono.just(new WriteOutcome.Unstamped(objection.get()));
        }
        Write write = new Write(key, draft);
        return new Attempts<>(
                deadlines,
                deadline.toNanos(),
                plans.forWrite(key, asked),
                former -> plans.renewForWrite(key, former),
                (plan, attempt) -> attempt(write, plan, attempt));
    }

    /** Calls all replicas of the plan at once and takes the first replies that decide. The other calls run on, and their replies become hints where they fail. */
    private Mono<WriteOutcome> attempt(Write write, ReplicaPlan plan, Attempt attempt) {
        WriteAttempt outcome = new WriteAttempt(write, stamping.clock(), plan, attempt, hints, inFlight);
        Set<String> spared = outcome.spared();
        WriteReplies replies = new WriteReplies(
                plan.replicas(),
                replica -> spared.contains(replica.member())
                        ? Mono.just(replica.sparesWrite())
                        : replica.write(write.key(), outcome.cell(), plan.epoch()),
                attempt.deadline(),
                deadlines,
                outcome);
        return new Gathering<>(replies, outcome);
    }
}
