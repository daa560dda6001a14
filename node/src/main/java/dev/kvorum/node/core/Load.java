package dev.kvorum.node.core;

import dev.kvorum.node.coordinator.FanOut;
import dev.kvorum.node.coordinator.Room;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What the process and its machine can still bear. Any thread may ask.
 *
 * @param fanOut how many replicas a read asks at first
 * @param values memory for the values that undecided reads hold
 * @param clientsWait whether operations of clients wait for their turn: then repair does
 * @param restPerKib nanoseconds to rest for each KiB that is read to repair or to move data
 */
public record Load(FanOut fanOut, Room values, BooleanSupplier clientsWait, LongSupplier restPerKib) {}
