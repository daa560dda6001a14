/**
 * Replicas that are behind are brought what they lack: those that a read meets, and by anti-entropy all others. Members compare what they hold, exchange what differs, and drop what is deleted everywhere. Pure: time, chance, transport and store come
 * from outside.
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
 *       whoever moves data; {@link dev.kvorum.node.repair.Pull} does it one way.
 *   <li>{@link dev.kvorum.node.repair.PartitionCopy}: a copy to compare with: {@link dev.kvorum.node.repair.LocalCopy} and {@link
 *       dev.kvorum.node.repair.RemoteCopy}; {@link dev.kvorum.node.repair.CopyUnavailableException} where one is not there, and {@link dev.kvorum.node.repair.Setback} says so in words.
 *   <li>{@link dev.kvorum.node.repair.Scope}: which cells two members compare.
 *   <li>{@link dev.kvorum.node.repair.Strays}: what a member holds though it need not.
 *   <li>{@link dev.kvorum.node.repair.MerkleTree}, of a {@link dev.kvorum.node.repair.Shape}; {@link dev.kvorum.node.repair.CellHash}, what
 *       it sums; {@link dev.kvorum.node.repair.TreesByCopies}, those of one partition for all others.
 *   <li>{@link dev.kvorum.node.repair.LocalCopy} reads by {@link dev.kvorum.node.repair.Scans}, and single cells by {@link dev.kvorum.node.repair.LocalCells}.
 *   <li>{@link dev.kvorum.node.repair.OwnSide}: this node's side of every comparison.
 *   <li>{@link dev.kvorum.node.repair.Comparison}: finds where two copies differ; {@link dev.kvorum.node.repair.Exchange} and {@link
 *       dev.kvorum.node.repair.Join} bring them together there; {@link dev.kvorum.node.repair.Exchanged} is what it came to.
 *   <li>{@link dev.kvorum.node.repair.Verifications}: when each partition was verified, and so what may be dropped.
 *   <li>{@link dev.kvorum.node.repair.LostLife}: what this member once held and promised, and does not know any more.
 *   <li>{@link dev.kvorum.node.repair.Sweep}: drops it.
 *   <li>{@link dev.kvorum.node.repair.MemberLife}, {@link dev.kvorum.node.repair.Absence}: whether a node was away for so long that it must not go on with
 *       what it holds.
 *   <li>{@link dev.kvorum.node.repair.Pace}: holds all that to a rate. {@link dev.kvorum.node.repair.Restraint}: and back while the processors are busy.
 *   <li>{@link dev.kvorum.node.repair.RepairService}: serves the calls of others. {@link dev.kvorum.node.repair.Refusals}: which of those have lately had too much to do to serve
 *       this node's.
 *   <li>{@link dev.kvorum.node.repair.RepairProtocol}: the calls on the wire, by {@link dev.kvorum.node.repair.MessageWriter} and {@link
 *       dev.kvorum.node.repair.MessageReader}. Calls: {@link dev.kvorum.node.repair.TreeCall}, {@link dev.kvorum.node.repair.ListCall}, {@link
 *       dev.kvorum.node.repair.CellsCall}, {@link dev.kvorum.node.repair.StreamCall}, {@link dev.kvorum.node.repair.StoreCall}, {@link
 *       dev.kvorum.node.repair.VerifiedCall}; replies are a {@link dev.kvorum.node.repair.Page}: {@link dev.kvorum.node.repair.TreePage},
 *       {@link dev.kvorum.node.repair.ListPage} of {@link dev.kvorum.node.repair.Listed}, {@link dev.kvorum.node.repair.CellPage} of {@link
 *       dev.kvorum.node.repair.KeyedCell}. {@link dev.kvorum.node.repair.PageItems} fills one.
 *   <li>{@link dev.kvorum.node.repair.ReadRepair}: mends those that a read has met, in the background.
 *   <li>{@link dev.kvorum.node.repair.ReadRepairMetrics}: what reads have mended, and what they have let be.
 *   <li>{@link dev.kvorum.node.repair.RepairStatus}, {@link dev.kvorum.node.repair.RepairMetrics}: what it tells of itself.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.repair;

import org.jspecify.annotations.NullMarked;
