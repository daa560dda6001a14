/**
 * One member's copy of a partition, as repair and transfers use it: read, listed, hashed, stored and swept. It is this node's own, or another's by calls. Pure: time, chance, transport and store
 * come from outside.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.copy.PartitionCopy}: a copy, which is a {@link dev.kvorum.node.copy.LocalCopy} or a {@link dev.kvorum.node.copy.RemoteCopy}; {@link
 *       dev.kvorum.node.copy.CopyUnavailableException} where one is not there, and {@link dev.kvorum.node.copy.Setback} says so in words.
 *   <li>{@link dev.kvorum.node.copy.Scans}: reads the local copy at a rate; {@link dev.kvorum.node.copy.LocalCells} reads and stores single cells of it; {@link
 *       dev.kvorum.node.copy.Sweep} drops what all members have seen end.
 *   <li>{@link dev.kvorum.node.copy.Scope}: which cells two members compare; {@link dev.kvorum.node.copy.Strays}: those that a member holds though it need not.
 *   <li>{@link dev.kvorum.node.copy.MerkleTree}, of a {@link dev.kvorum.node.copy.Shape}; {@link dev.kvorum.node.copy.CellHash}, what it sums; {@link
 *       dev.kvorum.node.copy.TreesByCopies}, those of one partition for all others.
 *   <li>{@link dev.kvorum.node.copy.RepairProtocol}: the calls on the wire, by {@link dev.kvorum.node.replica.MessageWriter} and {@link
 *       dev.kvorum.node.replica.MessageReader}. Calls: {@link dev.kvorum.node.copy.TreeCall}, {@link dev.kvorum.node.copy.ListCall}, {@link
 *       dev.kvorum.node.copy.CellsCall}, {@link dev.kvorum.node.copy.StreamCall}, {@link dev.kvorum.node.copy.StoreCall}; replies are a {@link
 *       dev.kvorum.node.copy.Page}: {@link dev.kvorum.node.copy.TreePage}, {@link dev.kvorum.node.copy.ListPage} of {@link dev.kvorum.node.copy.Listed}, {@link
 *       dev.kvorum.node.copy.CellPage} of {@link dev.kvorum.node.copy.KeyedCell}. {@link dev.kvorum.node.copy.PageItems} fills one.
 *   <li>{@link dev.kvorum.node.copy.Pace}: holds work to a rate.
 *   <li>{@link dev.kvorum.node.copy.Refusals}: which members have lately had too much to do to serve this node's calls.
 *   <li>{@link dev.kvorum.node.copy.CopyMetrics}: what was read and dropped.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.copy;

import org.jspecify.annotations.NullMarked;
