/**
 * What the machine and the kernel know about the nodes.
 *
 * <ul>
 *   <li>{@link dev.kvorum.load.measure.Machine}: where something was measured.
 *   <li>{@link dev.kvorum.load.measure.ProcessorTime}: user and system time of a process.
 *   <li>{@link dev.kvorum.load.measure.Sampler}: looks at each node once a second.
 *   <li>{@link dev.kvorum.load.measure.NodeSample}: what it saw.
 *   <li>{@link dev.kvorum.load.measure.LiveHeap}: what is alive on its heap.
 *   <li>{@link dev.kvorum.load.measure.MachineTime}: what the processors of the machine did.
 *   <li>{@link dev.kvorum.load.measure.ProcessorSeries}: the processor time of nodes between any two moments.
 * </ul>
 */
@NullMarked
package dev.kvorum.load.measure;

import org.jspecify.annotations.NullMarked;
