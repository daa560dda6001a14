package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.replica.ReadReply;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/**
 * The replies of the replicas of a read, as they come: parallel calls, and others in place of those that fail or are late.
 *
 * <pre>
 * event                   what it does
 * the first request       asks the first of the plan, one by one as long as somebody listens
 * a reply                 hands it on. A large value that finds no {@linkplain Room room} is handed on as the failure of an overloaded replica; who gets
 *                         one gives its room back
 * a failure               asks the next replica, where fewer than ack are hoped for
 * a call is overdue       the same, if the budget allows a hedge or the replica is avoided by now; else waits as long again
 * the last reply          completes
 * the deadline            completes; calls without reply are cancelled
 * an error                fails, for a replica that breaks its promise to answer; calls without reply are cancelled
 * it is cancelled         cancels calls without reply
 * </pre>
 *
 * Hoped for are the replicas that have succeeded, and those asked that have neither failed nor are overdue; a probe is not. As failures have others asked,
 * the quorum is out of reach exactly when it would be had all been asked at once.
 *
 * <p>Without a hedge or a failure it means the same as {@code Flux.fromIterable(plan.replicas()).take(plan.first()).flatMap(replica -> replica.read(..))}: fused, as
 * flatMap would keep a queue for each replica and know nothing of hedges.
 */
final class ReadReplies extends Flux<ReadReply> {
    final Key key;
    final ReplicaPlan plan;
    final long deadline;
    final Deadlines deadlines;
    final ReadPolicy policy;
    final ReadMetrics metrics;

    /** @param deadline by the clock of the deadlines */
    ReadReplies(Key key, ReplicaPlan plan, long deadline, Deadlines deadlines, ReadPolicy policy, ReadMetrics metrics) {
        this.key = key;
        this.plan = plan;
        this.deadline = deadline;
        this.deadlines = deadlines;
        this.policy = policy;
        this.metrics = metrics;
    }

    @Override
    public void subscribe(CoreSubscriber<? super ReadReply> listener) {
        listener.onSubscribe(new ReadCalls(this, listener));
    }
}
