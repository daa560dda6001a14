/**
 * Writes owed to a replica that did not take them (hinted handoff). The coordinator of such a write keeps a hint of it on its disk, and brings it
 * to the replica when that is back. Pure: time, chance, the store and the replicas come from outside.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.hint.Hints}: keeps them.
 *   <li>{@link dev.kvorum.node.hint.HintReplay}: brings them to those they are for; looks after a lane for each.
 *   <li>{@link dev.kvorum.node.hint.HintLane}: the way to one member: a batch at a time, in order, with pauses while it does not answer.
 *   <li>{@link dev.kvorum.node.hint.Delivery}, {@link dev.kvorum.node.hint.HintBatch}: what came of bringing one hint, and of a batch.
 *   <li>{@link dev.kvorum.node.hint.HintRoutes}: to whom a hint is brought, and whether that makes sense now.
 *   <li>{@link dev.kvorum.node.hint.HintPace}: how fast all lanes together may go.
 *   <li>{@link dev.kvorum.node.hint.BackOff}: pauses that grow.
 *   <li>{@link dev.kvorum.node.hint.HintMetrics}: hints by what became of them, and those that wait.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.hint;

import org.jspecify.annotations.NullMarked;
