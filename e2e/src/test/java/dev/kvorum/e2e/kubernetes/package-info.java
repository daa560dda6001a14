/**
 * Clusters on a real Kubernetes, looked after by the operator, seen as their users do: manifests, Helm, HTTP.
 *
 * <ul>
 *   <li>{@link dev.kvorum.e2e.kubernetes.ScenarioCluster}: a ready cluster for each scenario; JUnit makes and removes it.
 *   <li>{@link dev.kvorum.e2e.kubernetes.ManagedCluster}: one KvorumCluster: what is asked of it, and what it says.
 *   <li>{@link dev.kvorum.e2e.kubernetes.StoredKeys}: what was written before something happens, and must be there after.
 *   <li>{@link dev.kvorum.e2e.kubernetes.OperatorRelease}: the operator, installed by Helm.
 *   <li>{@link dev.kvorum.e2e.kubernetes.Kubernetes}: what they run on, and its machines.
 *   <li>{@link dev.kvorum.e2e.kubernetes.ReadyPods}, {@link dev.kvorum.e2e.kubernetes.PodDoors}: which pods serve clients, and how they are reached from here.
 *   <li>{@link dev.kvorum.e2e.kubernetes.Image}: what they run.
 *   <li>{@link dev.kvorum.e2e.kubernetes.Helm}, {@link dev.kvorum.e2e.kubernetes.Program}: programs of this machine.
 *   <li>{@link dev.kvorum.e2e.kubernetes.KubernetesEvidence}: what is kept of a scenario that fails.
 * </ul>
 */
@NullMarked
package dev.kvorum.e2e.kubernetes;

import org.jspecify.annotations.NullMarked;
