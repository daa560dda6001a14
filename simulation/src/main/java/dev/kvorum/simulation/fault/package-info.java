/**
 * What goes wrong, and when.
 *
 * <ul>
 *   <li>{@link dev.kvorum.simulation.fault.Fault}: something that begins and ends.
 *   <li>{@link dev.kvorum.simulation.fault.FaultKind}: all kinds that there are, each made by one of the five below.
 *   <li>{@link dev.kvorum.simulation.fault.ProcessFaults}, {@link dev.kvorum.simulation.fault.NetworkFaults}, {@link
 *       dev.kvorum.simulation.fault.DiskFaults}, {@link dev.kvorum.simulation.fault.ClockFaults}, {@link
 *       dev.kvorum.simulation.fault.MembershipChanges}: how they are made.
 *   <li>{@link dev.kvorum.simulation.fault.Relay}: one member misses something, the next forgets it, and the last can't be asked.
 *   <li>{@link dev.kvorum.simulation.fault.Swizzle}: ways that are clogged one after the other, and let go in another order.
 *   <li>{@link dev.kvorum.simulation.fault.FaultPlan}: the faults of one run, planned before it begins.
 *   <li>{@link dev.kvorum.simulation.fault.FaultLog}: which of them began and ended when.
 * </ul>
 */
@NullMarked
package dev.kvorum.simulation.fault;

import org.jspecify.annotations.NullMarked;
