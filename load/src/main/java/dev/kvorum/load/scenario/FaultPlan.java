package dev.kvorum.load.scenario;

import java.time.Duration;

/** What goes wrong with one node. Nodes are numbered from 1; the first is the default coordinator, which clients talk to. */
public sealed interface FaultPlan {
    int node();

    /** From the beginning of the measurement. */
    Duration at();

    /** Requests of other nodes to this one take longer. */
    record Slow(int node, Duration delay, Duration at) implements FaultPlan {}

    /** The process is stopped (SIGSTOP): its connections stay, nothing answers. */
    record Frozen(int node, Duration at) implements FaultPlan {}

    /** The process is killed (SIGKILL). */
    record Dead(int node, Duration at) implements FaultPlan {}
}
