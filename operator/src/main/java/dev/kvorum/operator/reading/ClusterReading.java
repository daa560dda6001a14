package dev.kvorum.operator.reading;

import dev.kvorum.operator.api.KvorumCluster;

/** The outcome of reading a resource. */
public sealed interface ClusterReading {
    /** A resource whose spec has all defaults. Of its status, what this operator does not know is left out. */
    record Understood(KvorumCluster cluster) implements ClusterReading {}

    /**
     * A resource that can't be followed by this operator.
     *
     * @param cluster its name and metadata, without spec and status
     * @param why the field, its value and what this operator knows instead, in words
     */
    record NotUnderstood(KvorumCluster cluster, String why) implements ClusterReading {}
}
