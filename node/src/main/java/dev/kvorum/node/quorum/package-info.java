/**
 * How many replicas must answer, and whether they have. Pure, and depends on nothing else.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.quorum.Quorum}: {@code ack} out of {@code from}.
 *   <li>{@link dev.kvorum.node.quorum.AckTally}: counts one request's replicas against its quorum.
 *   <li>{@link dev.kvorum.node.quorum.JointQuorum}, {@link dev.kvorum.node.quorum.JointTally}: two quorums that a write needs both while the
 *       replicas of its key change.
 *   <li>{@link dev.kvorum.node.quorum.Tally}: either of the tallies.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.quorum;

import org.jspecify.annotations.NullMarked;
