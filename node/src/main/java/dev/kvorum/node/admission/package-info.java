/**
 * How many operations of clients are under way at a time: those that come on top wait, and are refused if their turn does not come.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.admission.Admission}: lets operations in, each through the gate of its event loop.
 *   <li>{@link dev.kvorum.node.admission.Entrance}: the gate of one event loop, and the connections that were refused there.
 *   <li>{@link dev.kvorum.node.admission.Gate}: admits an operation, lets it wait or refuses it.
 *   <li>{@link dev.kvorum.node.admission.Limiter}: bounds the operations under way; {@link dev.kvorum.node.admission.LoopLoad} tells whether the loop has time for
 *       more, by its {@link dev.kvorum.node.admission.BusyTime}, and {@link dev.kvorum.node.admission.MemoryLimit} for how many there is memory.
 *   <li>{@link dev.kvorum.node.admission.WaitingQueue}: the operations that wait; {@link dev.kvorum.node.admission.ControlledDelay} bounds how long they do.
 *   <li>{@link dev.kvorum.node.admission.WakeUps}: calls refused clients back when there is room again.
 *   <li>{@link dev.kvorum.node.admission.GateListener}: hears who waited, and that there is room again.
 *   <li>{@link dev.kvorum.node.admission.EarlyRefusal}: refuses a request by its head while the gate turns everybody away.
 *   <li>{@link dev.kvorum.node.admission.Resting}: leaves connections that were refused unread for a while.
 *   <li>{@link dev.kvorum.node.admission.AdmissionMetrics}: waits and refusals.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.admission;

import org.jspecify.annotations.NullMarked;
