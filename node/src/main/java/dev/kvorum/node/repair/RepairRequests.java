package dev.kvorum.node.repair;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The partitions that somebody wants to be repaired now, each once. Any thread. */
final class RepairRequests {
    private final TreeMap<Integer, Request> waiting = new TreeMap<>();

    /**
     * One that somebody wants.
     *
     * @param here whether this node has to do it, and not another that is better placed
     */
    record Request(int partition, boolean here, Sinks.One<RepairOutcome> outcome) {
        void answer(RepairOutcome with) {
            outcome.emitValue(with, Sinks.EmitFailureHandler.FAIL_FAST);
        }

        void fail(Throwable e) {
            outcome.emitError(e, Sinks.EmitFailureHandler.FAIL_FAST);
        }
    }

    /** Asks for one; whoever has asked for it already shares its outcome. */
    synchronized Mono<RepairOutcome> add(int partition, boolean here) {
        Request wanted = waiting.merge(
                partition,
                new Request(partition, here, Sinks.one()),
                (known, more) -> new Request(partition, known.here || more.here, known.outcome));
        return wanted.outcome.asMono();
    }

    synchronized @Nullable Request take() {
        Map.@Nullable Entry<Integer, Request> first = waiting.pollFirstEntry();
        return first == null ? null : first.getValue();
    }

    synchronized int waiting() {
        return waiting.size();
    }
}
