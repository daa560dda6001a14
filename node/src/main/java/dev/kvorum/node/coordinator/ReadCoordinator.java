package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.config.ReadSettings.Repair;
import dev.kvorum.node.deadline.Deadlines;
import java.util.function.LongSupplier;
import reactor.core.publisher.Mono;

/**
 * Asks the replicas of a key and answers with the newest of the first {@code ack} answers. Whom it asks at once, and when another, is up to
 * the {@link ReadPolicy}. Any thread.
 */
public final class ReadCoordinator {
    private final ReplicaPlans plans;
    private final HybridClock clock;
    private final LongSupplier wallMillis;
    private final Deadlines deadlines;
    private final ReadPolicy policy;
    private final ReadMetrics metrics;

    /** @param wallMillis milliseconds since 1970, for values that expire */
    public ReadCoordinator(
            ReplicaPlans plans,
            HybridClock clock,
            LongSupplier wallMillis,
            Deadlines deadlines,
            ReadPolicy policy,
            ReadMetrics metrics) {
        this.plans = plans;
        this.clock = clock;
        this.wallMillis = wallMillis;
        this.deadlines = deadlines;
        this.policy = policy;
        this.metrics = metrics;
    }

    /**
     * Reads a key. Once it is decided the replicas that have not answered are cancelled, and so are all if the answer is.
     *
     * @param asked checked by the {@link QuorumPolicy}; it is completed here, by the members there are now
     * @return how it ended; never empty, never an error
     */
    public Mono<ReadOutcome> read(Key key, AskedQuorum asked) {
        ReplicaPlan first = plans.forRead(key, asked, policy.fanOut().breadth(), deadlines.now());
        policy.hedging().budget().earn();
        policy.mending().earn();
        return new Attempts<>(
                deadlines,
                policy.deadline().toNanos(),
                first,
                former -> plans.renewForRead(key, former, policy.fanOut().breadth(), deadlines.now()),
                (plan, attempt) -> attempt(key, plan, attempt));
    }

    /** Calls replicas of the plan, takes the first replies that decide and cancels the rest. */
    private Mono<ReadOutcome> attempt(Key key, ReplicaPlan plan, Attempt attempt) {
        ReadReplies replies = new ReadReplies(key, plan, attempt.deadline(), deadlines, policy, metrics);
        ReadAttempt outcome = new ReadAttempt(this, key, plan, attempt);
        Mono<ReadOutcome> gathered = new Gathering<>(replies, outcome);
        return policy.mending().mode() == Repair.BLOCKING ? gathered.flatMap(outcome::mended) : gathered;
    }

    Deadlines deadlines() {
        return deadlines;
    }

    ReadPolicy policy() {
        return policy;
    }

    /** What those replies come to, as of now. */
    ReadOutcome outcome(ReadTally tally) {
        Cell newest = tally.newest();
        if (newest != null) {
            clock.observe(newest.version()); // One too far ahead was refused when it was written; here it is only not
            // adopted.
        }
        return tally.outcome(wallMillis.getAsLong());
    }
}
