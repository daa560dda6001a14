/**
 * Between Kubernetes, the nodes and the decisions: observes, has decided, does and tells.
 *
 * <ul>
 *   <li>{@link dev.kvorum.operator.reconciler.ClusterReconciler}: once around.
 *   <li>{@link dev.kvorum.operator.reconciler.Observation}: what there is, by {@link dev.kvorum.operator.reconciler.KubernetesStates} and {@link
 *       dev.kvorum.operator.reconciler.NodePoll}.
 *   <li>{@link dev.kvorum.operator.reconciler.Manifests}: what should be there; {@link dev.kvorum.operator.reconciler.NameTakenException} where somebody else's
 *       is.
 *   <li>{@link dev.kvorum.operator.reconciler.ActionExecutor}: what is done besides.
 *   <li>{@link dev.kvorum.operator.reconciler.LeftAlone}: the status and the event of a resource that this operator does not understand.
 *   <li>{@link dev.kvorum.operator.reconciler.Events}: what is told of it.
 *   <li>{@link dev.kvorum.operator.reconciler.AskedOtherwise}: whether a person has asked for something else.
 *   <li>{@link dev.kvorum.operator.reconciler.PodCreation}: why a StatefulSet has not made a pod that it should have: a quota, a limit, a rule of admission.
 *   <li>{@link dev.kvorum.operator.reconciler.Refusals}: refusals of the API server, in words that a person can act on.
 * </ul>
 */
@NullMarked
package dev.kvorum.operator.reconciler;

import org.jspecify.annotations.NullMarked;
