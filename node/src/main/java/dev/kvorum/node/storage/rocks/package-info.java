/**
 * The store in RocksDB, and the only blocking code of a node, on threads of its own.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.storage.rocks.RocksStore}: the store; writes are committed in groups, reads run beside them.
 *   <li>{@link dev.kvorum.node.storage.rocks.RocksPartitions}: partitions, drops and notes, on a thread of their own; {@link
 *       dev.kvorum.node.storage.rocks.WatchedPartitions}: which were written to while somebody looked at them.
 *   <li>{@link dev.kvorum.node.storage.rocks.Commitment}: what waits for the writer: a {@link dev.kvorum.node.storage.rocks.PendingWrite}, a {@link
 *       dev.kvorum.node.storage.rocks.PendingRemoval} or a {@link dev.kvorum.node.storage.rocks.PendingDrop}.
 *   <li>{@link dev.kvorum.node.storage.rocks.BatchWorker}: a thread behind a bounded queue that takes all that waits at once; {@link
 *       dev.kvorum.node.storage.rocks.WaitingBytes}: how much waits. {@link dev.kvorum.node.storage.rocks.Answering}: answers writes on the event
 *       loop that asked.
 *   <li>{@link dev.kvorum.node.storage.rocks.Folding}: keeps the overwrites of a key few.
 *   <li>{@link dev.kvorum.node.storage.rocks.RocksRegisters}: what this node has promised about keys.
 *   <li>{@link dev.kvorum.node.storage.rocks.RocksHintStore}: hints; {@link dev.kvorum.node.storage.rocks.HintTable}: the queues on the disk; {@link
 *       dev.kvorum.node.storage.rocks.HintQueue}: the account of one; {@link dev.kvorum.node.storage.rocks.HintChange}: what changes in one commit;
 *       {@link dev.kvorum.node.storage.rocks.HintLayout}: keys and values; {@link dev.kvorum.node.storage.rocks.PendingHint}: a hint on its way to
 *       the disk.
 *   <li>{@link dev.kvorum.node.storage.rocks.HintWalk}, {@link dev.kvorum.node.storage.rocks.HintWalks}: along one queue, and along all, the oldest
 *       first.
 *   <li>{@link dev.kvorum.node.storage.rocks.RocksDatabase}: the database; {@link dev.kvorum.node.storage.rocks.OpenDatabase}: while it is open, with
 *       its options; {@link dev.kvorum.node.storage.rocks.MemorySplit}: how its memory is used; {@link
 *       dev.kvorum.node.storage.rocks.GentleBackground}: the priority of its own threads.
 *   <li>{@link dev.kvorum.node.storage.rocks.DatabaseKeeper}: opens the database again after a fault; {@link
 *       dev.kvorum.node.storage.rocks.FileDamage}: whether a file of it is damaged; {@link dev.kvorum.node.storage.rocks.DirectoryIdentity}: whether the path still leads to it.
 *   <li>{@link dev.kvorum.node.storage.rocks.SyncMark}: how much of the database is on the disk at least.
 *   <li>{@link dev.kvorum.node.storage.rocks.DiskFailure}: whether the disk fails, said once; {@link dev.kvorum.node.storage.rocks.MetDamage}: tells
 *       of damaged cells.
 *   <li>{@link dev.kvorum.node.storage.rocks.StoreMetrics}: queue, commits and what RocksDB tells of itself.
 *   <li>{@link dev.kvorum.node.storage.rocks.RocksChangeLog}: the last changes, from RocksDB's log; {@link dev.kvorum.node.storage.rocks.LogArchive}: the files
 *       that are kept for it.
 *   <li>{@link dev.kvorum.node.storage.rocks.RocksChecks}: looks whether cells and files are what was written. {@link dev.kvorum.node.storage.rocks.StoppedStore}: the
 *       store of a node that does not run; {@link dev.kvorum.node.storage.rocks.RewritingWalk} changes all of it once, and {@link dev.kvorum.node.storage.rocks.RewritePosition} says how far it has come.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.storage.rocks;

import org.jspecify.annotations.NullMarked;
