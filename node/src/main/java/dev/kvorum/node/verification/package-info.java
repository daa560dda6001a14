/**
 * What a member knows of its own data: when it was verified against all others, what it has lost, and whether it was away for too long. Pure: time and store come from outside.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.verification.Verifications}: when each partition was verified, and so what may be dropped; each takes in a {@link
 *       dev.kvorum.node.verification.VerifiedCall}.
 *   <li>{@link dev.kvorum.node.verification.LostLife}: what this member once held and promised, and does not know any more; {@link
 *       dev.kvorum.node.verification.Loss}: up to which times.
 *   <li>{@link dev.kvorum.node.verification.MemberLife}, {@link dev.kvorum.node.verification.Absence}: whether a node was away for so long that it must not go on with
 *       what it holds.
 *   <li>{@link dev.kvorum.node.verification.OwnProgress}, {@link dev.kvorum.node.verification.RememberedProgress}: how far data directories have come, as others remember
 *       it: so one that was put back from an older copy is found.
 *   <li>{@link dev.kvorum.node.verification.Progress}: how far a member's data directory has come.
 *   <li>{@link dev.kvorum.node.verification.LogMarks}: where the logs of members stood at which time; {@link dev.kvorum.node.verification.DirectoryWatch}: all that
 *       members tell each other of their disks.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.verification;

import org.jspecify.annotations.NullMarked;
