/**
 * Moving partitions when the members change: who gains them pulls them before it is read from, and who held them drops them when all who own them are shown to hold
 * them. Pure: time, chance, transport and store come from outside.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.transfer.Transfer}: the part of this node in a change, from its first epoch to its last.
 *   <li>{@link dev.kvorum.node.transfer.TransferParts}: what it works with.
 *   <li>{@link dev.kvorum.node.transfer.DataAge}: whether this node's data may still be given to others.
 *   <li>{@link dev.kvorum.node.transfer.RunningChange}: the change as it is going on: what is gained, what is verified, what is in work.
 *   <li>{@link dev.kvorum.node.transfer.TransferProgress}: what of that outlives a restart; {@link dev.kvorum.node.transfer.ProgressNote} keeps it.
 *   <li>{@link dev.kvorum.node.transfer.FormerPartitions}: after a change, drops what this node need not hold any more; {@link
 *       dev.kvorum.node.transfer.FormerPartition} is one of them.
 *   <li>{@link dev.kvorum.node.transfer.MovedBytes}: how fast it goes.
 *   <li>{@link dev.kvorum.node.transfer.TransferMetrics}: what it counts.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.transfer;

import org.jspecify.annotations.NullMarked;
