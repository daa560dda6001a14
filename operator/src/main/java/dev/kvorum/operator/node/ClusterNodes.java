package dev.kvorum.operator.node;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.PartitionSizes;
import java.util.List;
import java.util.Optional;

/**
 * All that the operator asks of nodes. Each call may block, ends in bounded time, and may be repeated at will: nodes answer the same again. Any thread.
 */
public interface ClusterNodes {
    /** What a node says of itself; empty if it can't be asked. */
    Optional<MemberReport> report(Member member);

    /** The topology that a node goes by; empty if it can't be asked. */
    Optional<Topology> topology(Member member);

    /** What a node holds, by partition; empty if it can't be asked. */
    Optional<PartitionSizes> sizes(Member member);

    /** Gives a node a topology that can follow the one that it goes by. */
    Answer push(Member member, Topology topology);

    /**
     * Tells a node that no member goes by an epoch before that of this change any more, so that it may begin to pull. What it was told last holds.
     *
     * @param gone ids of members that will never come back: it does not wait for what they alone hold
     */
    Answer settle(Member member, long epoch, List<String> gone);

    /** How a node takes what it is told. */
    sealed interface Answer {
        /** It is as it was told, now or already. */
        record Done() implements Answer {}

        /** It will not have it, and says why. */
        record Refused(String reason) implements Answer {}

        /** It could not be asked. */
        record Unreachable(String reason) implements Answer {}
    }
}
