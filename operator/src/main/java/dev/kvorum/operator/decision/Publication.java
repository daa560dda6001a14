package dev.kvorum.operator.decision;

import dev.kvorum.topology.Topology;

/**
 * A topology to be published next.
 *
 * @param switched whether reads have asked the next owners since the running change began
 */
public record Publication(Topology topology, boolean switched, Note note) {}
