package dev.kvorum.simulation.node;

import dev.kvorum.topology.Member;
import java.util.List;

/**
 * How an operator goes about changes.
 *
 * @param spares who may become members, once each
 * @param downMax how many members may be down while the next topology is published, and their copies be left out when partitions are moved. They come
 *     back with an old topology: no more may be down than are too few for any quorum
 */
public record OperatorSettings(List<Member> spares, int downMax) {
    /** Of a cluster whose members stay. */
    public static final OperatorSettings NONE = new OperatorSettings(List.of(), 0);
}
