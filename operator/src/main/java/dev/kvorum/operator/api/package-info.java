/**
 * The resource {@code KvorumCluster}, from which its definition is generated: fields, defaults, validation and columns stand here and nowhere else.
 *
 * <ul>
 *   <li>{@link dev.kvorum.operator.api.KvorumCluster}: the resource, and {@link dev.kvorum.operator.api.UnreadCluster}: the same as plain JSON.
 *   <li>{@link dev.kvorum.operator.api.KvorumClusterSpec}: what is asked for, in parts: {@link dev.kvorum.operator.api.QuorumSpec}, {@link
 *       dev.kvorum.operator.api.StorageSpec} with its {@link dev.kvorum.operator.api.Retention}, {@link dev.kvorum.operator.api.Durability}, {@link
 *       dev.kvorum.operator.api.ResourcesSpec} of {@link dev.kvorum.operator.api.ComputeSpec}, {@link dev.kvorum.operator.api.SecretReference}, {@link
 *       dev.kvorum.operator.api.PodSettings}, {@link dev.kvorum.operator.api.Spread}, {@link dev.kvorum.operator.api.MonitoringSpec} with
 *       {@link dev.kvorum.operator.api.PeerRules}, {@link dev.kvorum.operator.api.ScalingSpec} with its {@link dev.kvorum.operator.api.Approval}.
 *   <li>{@link dev.kvorum.operator.api.KvorumClusterStatus}: what was found, in parts: {@link dev.kvorum.operator.api.Phase}, {@link
 *       io.fabric8.kubernetes.api.model.Condition}, {@link dev.kvorum.operator.api.MemberStatus}, {@link dev.kvorum.operator.api.ChangeStatus}.
 *   <li>{@link dev.kvorum.operator.api.SchemaDetails}: what annotations can't say of a schema.
 *   <li>{@link dev.kvorum.operator.api.TransferStatus}: the data that a change of the members moves, and how much of it has been moved.
 * </ul>
 */
@NullMarked
package dev.kvorum.operator.api;

import org.jspecify.annotations.NullMarked;
