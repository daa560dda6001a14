/**
 * A change of the members, decided: what may be begun, what it would move, and what comes next. Whoever drives a change, a command or an operator, asks the nodes,
 * asks here, does that, and asks again; nothing is remembered in between.
 *
 * <ul>
 *   <li>{@link dev.kvorum.topology.change.ChangeRequest}: who is to join and who is to leave.
 *   <li>{@link dev.kvorum.topology.change.ChangeTopologies}: the topologies of a change, each made of the one before.
 *   <li>{@link dev.kvorum.topology.change.Gain}: what of a partition a member is to hold more of after a change.
 *   <li>{@link dev.kvorum.topology.change.MemberReport}, {@link dev.kvorum.topology.change.MemberReportJson}: what a node says of itself.
 *   <li>{@link dev.kvorum.topology.change.PartitionSizes}: how much it holds.
 *   <li>{@link dev.kvorum.topology.change.UnwritablePartitions}: what members that do not answer cost.
 *   <li>{@link dev.kvorum.topology.change.ChangePlan}: what a request would move, or why it is refused.
 *   <li>{@link dev.kvorum.topology.change.ChangeStep}: what is to be done next of a running change, forwards or back.
 * </ul>
 */
@NullMarked
package dev.kvorum.topology.change;

import org.jspecify.annotations.NullMarked;
