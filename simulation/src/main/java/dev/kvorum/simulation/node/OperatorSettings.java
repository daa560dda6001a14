package dev.kvorum.simulation.node;

import dev.kvorum.topology.Member;
import java.util.List;

/**
 * How an operator goes about changes.
 *
 * @param spares who may become members, once each
 * @param downMax how many members may be down while the next topology is published, and their copies be left out when partitions are moved. They come
 *     back with an old topology: no more may be down than are too few for any quorum. Reads wait for those that gain something all the same
 * @param publishingMin how long a published topology takes at least until the last machine may find it, in nanoseconds
 */
public record OperatorSettings(List<Member> spares, int downMax, long publishingMin) {
    private static final long PROMPT = 10_000_000;

    /** Of a cluster whose members stay. */
    public static final OperatorSettings NONE = prompt(List.of(), 0);

    /** Of one in which news are as fast or slow as it happens. */
    public static OperatorSettings prompt(List<Member> spares, int downMax) {
        return new OperatorSettings(spares, downMax, PROMPT);
    }
}
