package dev.kvorum.node.coordinator;

import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.replica.ObservedReplica;
import dev.kvorum.node.replica.WriteReply;
import java.util.List;
import java.util.function.Function;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The replies of replicas to parallel writes, as they come. No call is ever cancelled: whoever has heard enough cancels this, and the rest runs on.
 *
 * <pre>
 * event                   what it does while somebody listens                          afterwards, if the rest is wanted
 * the first request       calls the replicas, in the order given                       -
 * a reply                 hands it on                                                  hands it to the rest
 * the last reply          completes, and leaves                                        leaves
 * the deadline            tells the rest, completes and leaves                         tells the rest, and leaves
 * an error                fails, for a replica that breaks its promise to answer; from -
 *                         now on nobody listens
 * it is cancelled         from now on nobody listens; if the rest is not wanted,       -
 *                         leaves
 * </pre>
 *
 * <p>It means the same as {@code Flux.fromIterable(replicas).flatMap(call).publish().autoConnect(2)}, of which the second subscriber is the {@link Rest}: fused, as
 * that would keep a queue for each replica and for each subscriber. Subscribe once.
 */
final class WriteReplies extends Flux<WriteReply> {
    final List<ObservedReplica> replicas;
    final Function<ObservedReplica, Mono<WriteReply>> call;
    final long deadline;
    final Deadlines deadlines;
    final Rest rest;

    /** What is done about replies while nobody listens, and when the calls begin and end. Its methods are called one at a time. */
    interface Rest {
        /** Of no use: the calls run on, and nobody hears of it. */
        Rest UNWANTED = new Rest() {};

        /** Whether it still is of use while nobody listens. */
        default boolean isWanted() {
            return false;
        }

        /** The calls begin. */
        default void began() {}

        /** A replica has replied. */
        default void replied(WriteReply reply) {}

        /** A replica has ended a call without a reply: a bug. Also while somebody listens. */
        default void broken(String member) {}

        /** The deadline has come before the last reply. Also while somebody listens. */
        default void expired() {}

        /** The calls are left to themselves: all have replied, the deadline has come, or the rest is not wanted. Once, after {@link #began}. */
        default void left() {}
    }

    /** @param deadline by the clock of the deadlines */
    WriteReplies(
            List<ObservedReplica> replicas,
            Function<ObservedReplica, Mono<WriteReply>> call,
            long deadline,
            Deadlines deadlines,
            Rest rest) {
        this.replicas = replicas;
        this.call = call;
        this.deadline = deadline;
        this.deadlines = deadlines;
        this.rest = rest;
    }

    @Override
    public void subscribe(CoreSubscriber<? super WriteReply> listener) {
        listener.onSubscribe(new WriteCalls(this, listener));
    }
}
