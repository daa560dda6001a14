package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.hint.Hints;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/** Writes a cell to all replicas of its key at once and answers at the {@code ack}-th success; for a replica that does not take it, or is spared it as it is silent, a hint is kept. Any thread. */
public final class WriteCoordinator {
    private final ReplicaPlans plans;
    private final HybridClock clock;
    private final Duration deadline;
    private final Deadlines deadlines;
    private final InFlight inFlight;
    private final Hints hints;

    public WriteCoordinator(
            ReplicaPlans plans,
            HybridClock clock,
            Duration deadline,
            Deadlines deadlines,
            InFlight inFlight,
            Hints hints) {
        this.plans = plans;
        this.clock = clock;
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
        ReplicaPlan plan = plans.forWrite(key, asked);
        return new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super WriteOutcome> client) {
                client.onSubscribe(new WriteRequest(WriteCoordinator.this, key, draft, plan, client));
            }
        };
    }

    /** Where the write goes by the topology that this node has learned of since; null if it has not. */
    @Nullable
    ReplicaPlan renew(Key key, ReplicaPlan former) {
        return plans.renewForWrite(key, former);
    }

    HybridClock clock() {
        return clock;
    }

    Duration deadline() {
        return deadline;
    }

    Deadlines deadlines() {
        return deadlines;
    }

    InFlight inFlight() {
        return inFlight;
    }

    Hints hints() {
        return hints;
    }
}
