/**
 * What a node keeps on its disk, as the other rooms know it: ports and the values that they pass. {@code storage.rocks} implements them with RocksDB, the
 * simulation on virtual disks.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.storage.Store}: all that a node keeps on its disk.
 *   <li>{@link dev.kvorum.node.storage.CellStore}: cells, one key at a time.
 *   <li>{@link dev.kvorum.node.storage.PartitionStore}: the same cells by partition, for work that goes through many of them: {@link
 *       dev.kvorum.node.storage.KeyRange} says which, {@link dev.kvorum.node.storage.ScanLimit} how many, {@link dev.kvorum.node.storage.CellVisitor}
 *       sees them, {@link dev.kvorum.node.storage.Scanned} and {@link dev.kvorum.node.storage.PartitionSize} are what it answers.
 *   <li>{@link dev.kvorum.node.storage.PartitionDrops}: drops partitions that were not written to while somebody looked at them.
 *   <li>{@link dev.kvorum.node.storage.StoreChecks}: looks whether the disk still has what was written.
 *   <li>{@link dev.kvorum.node.storage.ChangeLog}: the last changes in their order; {@link dev.kvorum.node.storage.ChangePage}, {@link
 *       dev.kvorum.node.storage.ChangesGoneException}: what it answers.
 *   <li>{@link dev.kvorum.node.storage.StorageKey}: partition and key as the database orders them.
 *   <li>{@link dev.kvorum.node.storage.HintStore}: writes that members are owed, in a queue for each of them; {@link
 *       dev.kvorum.node.storage.StoredHint}, {@link dev.kvorum.node.storage.HintPage}, {@link dev.kvorum.node.storage.HintBacklog}: one of them, a
 *       stretch of a queue, and what is left in it.
 *   <li>{@link dev.kvorum.node.storage.RegisterStore}: keys with a row beside their cell that says what this node has promised; {@link
 *       dev.kvorum.node.storage.RegisterState}, {@link dev.kvorum.node.storage.RegisterStep}, {@link dev.kvorum.node.storage.StoredRegister}: one
 *       before, and after, a step; one of many.
 *   <li>{@link dev.kvorum.node.storage.NoteStore}: what the node notes for itself.
 *   <li>{@link dev.kvorum.node.storage.MemberDirectory}: what a member knows of itself from one life to the next; {@link
 *       dev.kvorum.node.storage.WitnessNote}: what it remembers of others.
 *   <li>{@link dev.kvorum.node.storage.CallingLoop}: which event loop asks.
 *   <li>{@link dev.kvorum.node.storage.DamageListener}: hears of stored cells that are damaged.
 *   <li>{@link dev.kvorum.node.storage.StoreOverloadedException}: a store that has no room for more work.
 *   <li>{@link dev.kvorum.node.storage.Wholeness}: whether all is there that was on the disk; {@link dev.kvorum.node.storage.LostDataException}: less was found,
 *       {@link dev.kvorum.node.storage.DataDirectoryException}: a directory that can't be used.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.storage;

import org.jspecify.annotations.NullMarked;
