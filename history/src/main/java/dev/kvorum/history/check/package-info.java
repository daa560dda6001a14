/**
 * Whether a history keeps the promises of the store. Each check looks for one kind of {@link dev.kvorum.history.check.Anomaly}, and
 * finds none in a history that a correct cluster may produce, however odd.
 *
 * <ul>
 *   <li>{@link dev.kvorum.history.check.Checker}: all checks on one history.
 *   <li>{@link dev.kvorum.history.check.Promises}: what the cluster has promised beyond what holds always.
 *   <li>{@link dev.kvorum.history.check.Anomaly}: a promise that was broken, in words.
 *   <li>{@link dev.kvorum.history.check.StaleReads}: a read missed a write that had been acknowledged before it began.
 *   <li>{@link dev.kvorum.history.check.BackwardReads}: a read missed what an earlier one had found.
 *   <li>{@link dev.kvorum.history.check.Frontier}: the newest version that each kind of quorum has come to by some time.
 *   <li>{@link dev.kvorum.history.check.LostWrites}: fewer copies of an acknowledged write are left than were acknowledged.
 *   <li>{@link dev.kvorum.history.check.Provenance}: something was read that nobody had written.
 *   <li>{@link dev.kvorum.history.check.VersionOrder}: a node issued a version twice, or below one that it had seen.
 *   <li>{@link dev.kvorum.history.check.MisplacedCopies}: a key is where its write did not want it.
 *   <li>{@link dev.kvorum.history.check.Convergence}: replicas differ though faults are over.
 *   <li>{@link dev.kvorum.history.check.KeyHistory}, {@link dev.kvorum.history.check.Losses}: what these look at: the history of one key, and
 *       the disks that have lost something.
 *   <li>{@link dev.kvorum.history.check.Linearizability}: whether linearizable operations could have been done in the order of their versions.
 *   <li>{@link dev.kvorum.history.check.Adoption}: which versions a node adopts that it reads: all that are not too far ahead of its clock.
 *   <li>{@link dev.kvorum.history.check.HiddenWrites}: acknowledged writes that an earlier one hides: it was acknowledged before they began, and has the newer version.
 * </ul>
 *
 * <p>Linearizability is not judged here: Porcupine does that, from the same file.
 */
@NullMarked
package dev.kvorum.history.check;

import org.jspecify.annotations.NullMarked;
