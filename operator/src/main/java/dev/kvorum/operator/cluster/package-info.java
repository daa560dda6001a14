/**
 * Which nodes a cluster has, and what everything of it is called.
 *
 * <ul>
 *   <li>{@link dev.kvorum.operator.cluster.Seat}: a place for a node.
 *   <li>{@link dev.kvorum.operator.cluster.ClusterName}: the names of pods, volumes and services.
 *   <li>{@link dev.kvorum.operator.cluster.Labels}: labels and annotations.
 * </ul>
 */
@NullMarked
package dev.kvorum.operator.cluster;

import org.jspecify.annotations.NullMarked;
