package dev.kvorum.node.coordinator;

import java.time.Duration;

/**
 * How this node reads.
 *
 * @param deadline how long a read may take in all
 * @param fanOut how many replicas it asks at once
 * @param hedging when it asks another one
 * @param mending what it does about replicas that are behind
 * @param room memory for the values that it holds while a read is undecided
 */
public record ReadPolicy(Duration deadline, FanOut fanOut, Hedging hedging, Mending mending, Room room) {}
