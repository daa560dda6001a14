/**
 * The data directory of a node: whose it is, and what the node notes there beside its database.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.storage.directory.DataDirectory}: the directory: claims it for a member, moves its database aside, and knows the files
 *       in it.
 *   <li>{@link dev.kvorum.node.storage.directory.DirectoryStamp}: whose it is: cluster, member, incarnation.
 *   <li>{@link dev.kvorum.node.storage.directory.MemberNotes}: what the member notes of itself and of others: topology, tenure, starts, life.
 *   <li>{@link dev.kvorum.node.storage.directory.RunningNote}: that a node runs there, under which boot of the machine.
 *   <li>{@link dev.kvorum.node.storage.directory.CheckedNote}: a note with a checksum.
 *   <li>{@link dev.kvorum.node.storage.directory.DirectoryTrial}: whether a directory is free, and its file system can lock and sync.
 *   <li>{@link dev.kvorum.node.storage.directory.OwnerOnly}: files that nobody else may read.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.storage.directory;

import org.jspecify.annotations.NullMarked;
