/**
 * What belongs to a cluster in Kubernetes, as functions of its spec. No I/O.
 *
 * <ul>
 *   <li>{@link dev.kvorum.operator.dependents.NodeSet}: a StatefulSet per zone, with {@link dev.kvorum.operator.dependents.PodTemplate}.
 *   <li>{@link dev.kvorum.operator.dependents.VolumeOwners}: with what volumes go.
 *   <li>{@link dev.kvorum.operator.dependents.TopologyMap}: the published topology.
 *   <li>{@link dev.kvorum.operator.dependents.NodeServices}: for members and for clients.
 *   <li>{@link dev.kvorum.operator.dependents.DisruptionBudget}, {@link dev.kvorum.operator.dependents.PeerPolicy}, {@link
 *       dev.kvorum.operator.dependents.MonitoringPolicy}, {@link dev.kvorum.operator.dependents.NodeAccount}, {@link dev.kvorum.operator.dependents.NodeMonitor}: what protects and watches them.
 *   <li>{@link dev.kvorum.operator.dependents.Metadata}: names, labels and owner of all of them.
 * </ul>
 */
@NullMarked
package dev.kvorum.operator.dependents;

import org.jspecify.annotations.NullMarked;
