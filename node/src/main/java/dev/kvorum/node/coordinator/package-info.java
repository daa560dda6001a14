/**
 * One client operation from start to finish: plan, fan out, tally, merge, answer.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.coordinator.WriteCoordinator}: sends a cell to all replicas, answers at the {@code ack}-th success.
 *   <li>{@link dev.kvorum.node.coordinator.ReadCoordinator}: asks the replicas, answers with the newest of {@code ack} cells.
 *   <li>{@link dev.kvorum.node.coordinator.Attempts}, {@link dev.kvorum.node.coordinator.Attempt}: plan a request anew under a newer epoch.
 *   <li>{@link dev.kvorum.node.coordinator.Gathering}: takes replies until they decide the outcome.
 *   <li>{@link dev.kvorum.node.coordinator.ReadReplies}, {@link dev.kvorum.node.coordinator.ReadCalls}, {@link
 *       dev.kvorum.node.coordinator.ReadCall}: the replies to a read, from parallel and hedged calls.
 *   <li>{@link dev.kvorum.node.coordinator.WriteReplies}, {@link dev.kvorum.node.coordinator.WriteCalls}, {@link
 *       dev.kvorum.node.coordinator.WriteCall}: the replies to a write, from parallel calls that run on.
 *   <li>{@link dev.kvorum.node.coordinator.Draining}, {@link dev.kvorum.node.coordinator.ReplicaCall}: what both have in common.
 *   <li>{@link dev.kvorum.node.coordinator.ReadAttempt}, {@link dev.kvorum.node.coordinator.WriteAttempt}: what the replies come to by one plan.
 *   <li>{@link dev.kvorum.node.coordinator.Write}: what stays of a write from attempt to attempt.
 *   <li>{@link dev.kvorum.node.coordinator.Mending}: what reads do about replicas that are behind.
 *   <li>{@link dev.kvorum.node.coordinator.Difference}: which replicas of a read are, and which have the newest cell.
 *   <li>{@link dev.kvorum.node.coordinator.WriteBack}: brings the newest cell to a quorum before a read is answered.
 *   <li>{@link dev.kvorum.node.coordinator.ReadPolicy}: how this node reads.
 *   <li>{@link dev.kvorum.node.coordinator.Room}: memory for the values that undecided reads hold.
 *   <li>{@link dev.kvorum.node.coordinator.FanOut}, {@link dev.kvorum.node.coordinator.AdaptiveFanOut}, {@link dev.kvorum.node.coordinator.Breadth}: how many replicas a read asks at once.
 *   <li>{@link dev.kvorum.node.coordinator.Hedging}, {@link dev.kvorum.node.coordinator.HedgeDelay}, {@link dev.kvorum.node.coordinator.HedgeBudget}: when a read asks another replica, and how often reads may send what they do not need themselves.
 *   <li>{@link dev.kvorum.node.coordinator.ReadMetrics}: hedges, and what was spared.
 *   <li>{@link dev.kvorum.node.coordinator.ReplicaPlan}, {@link dev.kvorum.node.coordinator.ReplicaPlans}, {@link
 *       dev.kvorum.node.coordinator.ReadOrder}: which replicas a request asks, how they are chosen, and in which order.
 *   <li>{@link dev.kvorum.node.coordinator.QuorumPolicy}, {@link dev.kvorum.node.coordinator.AskedQuorum}, {@link
 *       dev.kvorum.node.coordinator.InvalidQuorumException}: the quorum of a request, completed by the policy of the cluster when it is planned.
 *   <li>{@link dev.kvorum.node.coordinator.WriteTally}, {@link dev.kvorum.node.coordinator.ReadTally}: what the replies of one request
 *       come to.
 *   <li>{@link dev.kvorum.node.coordinator.WriteOutcome}, {@link dev.kvorum.node.coordinator.ReadOutcome}: how it ended.
 *   <li>{@link dev.kvorum.node.coordinator.Shortfall}: why a quorum was missed.
 *   <li>{@link dev.kvorum.node.coordinator.InFlight}: writes that not all replicas have answered yet.
 *   <li>{@link dev.kvorum.node.coordinator.Stamping}: how plain writes get their versions.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.coordinator;

import org.jspecify.annotations.NullMarked;
