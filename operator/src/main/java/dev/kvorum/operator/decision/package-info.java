/**
 * What to do about a cluster: pure functions of what is asked for, what Kubernetes has and what nodes say. Nothing here does I/O, asks a clock or remembers.
 *
 * <ul>
 *   <li>{@link dev.kvorum.operator.decision.Observed}: what decisions are made from: the desired state, objects in Kubernetes and answers of nodes.
 *   <li>{@link dev.kvorum.operator.decision.Decision}: all that is to be done now: a {@link dev.kvorum.operator.decision.Publication}, {@link
 *       dev.kvorum.operator.decision.Action}s, or an {@link dev.kvorum.operator.decision.Obstacle}; each with a {@link dev.kvorum.operator.decision.Note} for
 *       people.
 *   <li>{@link dev.kvorum.operator.decision.MembershipDecision}, {@link dev.kvorum.operator.decision.StepActions}: how the members change, as a {@link
 *       dev.kvorum.operator.decision.MembershipStep} at a {@link dev.kvorum.operator.decision.ChangePhase}; {@link
 *       dev.kvorum.operator.decision.ScalingPlan}: what that moves; {@link dev.kvorum.operator.decision.JoinMarks}: what was about to begin and did not.
 *   <li>{@link dev.kvorum.operator.decision.TopologyAdoption}: who goes by the
 *       present one; {@link dev.kvorum.operator.decision.Incarnations}: whose disk is known;
 *       {@link dev.kvorum.operator.decision.Absence}: who can't be asked, and what a person can do about it.
 *   <li>{@link dev.kvorum.operator.decision.Rollout}: which pod is replaced next, as a {@link dev.kvorum.operator.decision.RolloutStep}; {@link
 *       dev.kvorum.operator.decision.Availability}: who can be spared.
 *   <li>{@link dev.kvorum.operator.decision.Volumes}: marks, expands and deletes volumes; {@link dev.kvorum.operator.decision.SetSizes}: how many pods there are.
 *   <li>{@link dev.kvorum.operator.decision.StatusReport}, {@link dev.kvorum.operator.decision.Conditions}: what is told of it, with the {@link
 *       dev.kvorum.operator.decision.Commands} that a person may need.
 *   <li>{@link dev.kvorum.operator.decision.BaseTopology}: the topology that everything else stands on: the published one, or a newer one of the nodes.
 *   <li>{@link dev.kvorum.operator.decision.TopologyTrust}: whether a topology is this cluster's, and whether one that nodes go by may take the place of the published one.
 * </ul>
 */
@NullMarked
package dev.kvorum.operator.decision;

import org.jspecify.annotations.NullMarked;
