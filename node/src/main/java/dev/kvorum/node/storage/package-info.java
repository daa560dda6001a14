/**
 * The cells of this node on its disk: RocksDB, and the only blocking code of the node, on threads of its own.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.storage.Store}: all that a node keeps on its disk, as the simulation has it too.
 *   <li>{@link dev.kvorum.node.storage.CellStore}: what the rest of the node knows of it.
 *   <li>{@link dev.kvorum.node.storage.RocksStore}: the store; writes are committed in groups, reads run beside them.
 *   <li>{@link dev.kvorum.node.storage.PartitionStore}: the same cells by partition, for work that goes through many of them: {@link
 *       dev.kvorum.node.storage.KeyRange} says which, {@link dev.kvorum.node.storage.ScanLimit} how many, {@link
 *       dev.kvorum.node.storage.CellVisitor} sees them, {@link dev.kvorum.node.storage.Scanned} and {@link
 *       dev.kvorum.node.storage.PartitionSize} are what it answers.
 *   <li>{@link dev.kvorum.node.storage.PartitionDrops}: drops partitions that were not written to while somebody looked at them; {@link
 *       dev.kvorum.node.storage.WatchedPartitions} tells.
 *   <li>{@link dev.kvorum.node.storage.NoteStore}: what the node notes for itself.
 *   <li>{@link dev.kvorum.node.storage.RocksPartitions}: all three, on a thread of their own.
 *   <li>{@link dev.kvorum.node.storage.Commitment}: what waits for the writer: a {@link dev.kvorum.node.storage.PendingWrite}, a
 *       {@link dev.kvorum.node.storage.PendingRemoval} or a {@link dev.kvorum.node.storage.PendingDrop}.
 *   <li>{@link dev.kvorum.node.storage.BatchWorker}: a thread behind a bounded queue that takes all that waits at once.
 *   <li>{@link dev.kvorum.node.storage.CallingLoop}: which event loop asks; {@link dev.kvorum.node.storage.Answering}: answers it there.
 *   <li>{@link dev.kvorum.node.storage.RocksDatabase}: the database; {@link dev.kvorum.node.storage.OpenDatabase}: while it is open, with its
 *       options. {@link dev.kvorum.node.storage.DatabaseKeeper}: opens it again after a fault.
 *   <li>{@link dev.kvorum.node.storage.MemorySplit}: how the memory given to the database is used.
 *   <li>{@link dev.kvorum.node.storage.StorageKey}: partition and key as the database orders them.
 *   <li>{@link dev.kvorum.node.storage.HintStore}, {@link dev.kvorum.node.storage.RocksHintStore}: writes that members are owed, in a queue for
 *       each of them.
 *   <li>{@link dev.kvorum.node.storage.RegisterStore}, {@link dev.kvorum.node.storage.RocksRegisters}: keys with a row beside their cell that says
 *       what this node has promised; {@link dev.kvorum.node.storage.RegisterState}, {@link dev.kvorum.node.storage.RegisterStep}, {@link
 *       dev.kvorum.node.storage.StoredRegister}: one before, and after, a step; one of many.
 *   <li>{@link dev.kvorum.node.storage.StoredHint}, {@link dev.kvorum.node.storage.HintPage}, {@link
 *       dev.kvorum.node.storage.HintBacklog}: one of them, a stretch of a queue, and what is left in it.
 *   <li>{@link dev.kvorum.node.storage.HintTable}: the queues on the disk; {@link dev.kvorum.node.storage.HintQueue}: the account of one;
 *       {@link dev.kvorum.node.storage.HintChange}: what changes in one commit; {@link dev.kvorum.node.storage.HintLayout}: keys and values.
 *   <li>{@link dev.kvorum.node.storage.HintWalk}, {@link dev.kvorum.node.storage.HintWalks}: along one queue, and along all, the oldest first.
 *   <li>{@link dev.kvorum.node.storage.PendingHint}: a hint on its way to the disk.
 *   <li>{@link dev.kvorum.node.storage.Folding}: keeps the overwrites of a key few.
 *   <li>{@link dev.kvorum.node.storage.MemberDirectory}: what a member knows of itself from one life to the next; {@link
 *       dev.kvorum.node.storage.DataDirectory}: that on the disk: cluster, member, incarnation, starts. {@link
 *       dev.kvorum.node.storage.WitnessNote}: what it remembers of others. {@link dev.kvorum.node.storage.CheckedNote}: a note with a checksum.
 *   <li>{@link dev.kvorum.node.storage.SyncMark}: how much of the database is on the disk at least; {@link
 *       dev.kvorum.node.storage.LostDataException}: less than that was found.
 *   <li>{@link dev.kvorum.node.storage.DirectoryTrial}: whether a directory is free and its file system can lock and sync; {@link
 *       dev.kvorum.node.storage.DirectoryIdentity}: whether a path still leads to the same database; {@link dev.kvorum.node.storage.OwnerOnly}: files
 *       that nobody else may read.
 *   <li>{@link dev.kvorum.node.storage.DiskFailure}: whether the disk fails, said once.
 *   <li>{@link dev.kvorum.node.storage.StoreMetrics}: queue, commits and what RocksDB tells of itself.
 *   <li>{@link dev.kvorum.node.storage.StoreOverloadedException}, {@link dev.kvorum.node.storage.DataDirectoryException}:
 *       refusals.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.storage;

import org.jspecify.annotations.NullMarked;
