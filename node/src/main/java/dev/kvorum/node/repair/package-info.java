/**
 * Brings replicas that are behind what they lack: read repair those that a read meets, anti-entropy all others. Members compare their copies, exchange what differs, and drop what is deleted
 * everywhere. Pure: time, chance, transport and store come from outside.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.repair.Repair}: one partition at a time, on a schedule and on demand.
 *   <li>{@link dev.kvorum.node.repair.RepairParts}: what it works with; {@link dev.kvorum.node.repair.Backpressure}: how far it holds back.
 *   <li>{@link dev.kvorum.node.repair.RepairSchedule}, {@link dev.kvorum.node.repair.RepairRequests}: which partition is next.
 *   <li>{@link dev.kvorum.node.repair.Rebuilding}: asks for what this node has lost.
 *   <li>{@link dev.kvorum.node.repair.Nap}: the pause between two of them.
 *   <li>{@link dev.kvorum.node.repair.RepairRun}: one partition, with all its members; ends in a {@link
 *       dev.kvorum.node.repair.RepairOutcome}. {@link dev.kvorum.node.repair.Ranks} says who owes what of it.
 *   <li>{@link dev.kvorum.node.repair.PartitionSync}, {@link dev.kvorum.node.repair.SyncReport}: brings a partition from members to others, for
 *       transfers; {@link dev.kvorum.node.repair.Pull} does it one way.
 *   <li>{@link dev.kvorum.node.repair.OwnSide}: this node's side of every comparison.
 *   <li>{@link dev.kvorum.node.repair.Comparison}: finds where two copies differ; {@link dev.kvorum.node.repair.Exchange} and {@link
 *       dev.kvorum.node.repair.Join} bring them together there; {@link dev.kvorum.node.repair.Exchanged} is what it came to.
 *   <li>{@link dev.kvorum.node.repair.Restraint}: how long to rest while the processors are busy.
 *   <li>{@link dev.kvorum.node.repair.RepairService}: serves the calls of others.
 *   <li>{@link dev.kvorum.node.repair.ReadRepair}: mends those that a read has met, in the background; {@link dev.kvorum.node.repair.ReadRepairMetrics} counts them.
 *   <li>{@link dev.kvorum.node.repair.RepairStatus}, {@link dev.kvorum.node.repair.RepairMetrics}: what it tells of itself.
 *   <li>{@link dev.kvorum.node.repair.DamagedPartitions}: has a partition with a damaged cell rebuilt from the other owners.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.repair;

import org.jspecify.annotations.NullMarked;
