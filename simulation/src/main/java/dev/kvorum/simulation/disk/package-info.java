/**
 * Disks, and the store on them.
 *
 * <ul>
 *   <li>{@link dev.kvorum.simulation.disk.SimulatedDisk}: what outlives a process, and the tail of its log that does not outlive the machine.
 *   <li>{@link dev.kvorum.simulation.disk.Change}: one change of what it holds.
 *   <li>{@link dev.kvorum.simulation.disk.DiskWeather}: how long a disk takes on a good day.
 *   <li>{@link dev.kvorum.simulation.disk.DiskFault}: what is wrong with it for a time.
 *   <li>{@link dev.kvorum.simulation.disk.SimulatedDirectory}: a member's directory on it.
 *   <li>{@link dev.kvorum.simulation.disk.SimulatedStore}: the cells of one process, as the store in RocksDB keeps them.
 *   <li>{@link dev.kvorum.simulation.disk.SimulatedChangeLog}: the last of its changes.
 *   <li>{@link dev.kvorum.simulation.disk.SimulatedRegisters}: its registers.
 *   <li>{@link dev.kvorum.simulation.disk.SimulatedHintStore}, {@link dev.kvorum.simulation.disk.HintQueues}: its hints, as that store keeps
 *       them.
 *   <li>{@link dev.kvorum.simulation.disk.SimulatedPartitions}: the cells of one process by partition, and its notes.
 * </ul>
 */
@NullMarked
package dev.kvorum.simulation.disk;

import org.jspecify.annotations.NullMarked;
