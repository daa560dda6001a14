/**
 * Clusters of node processes on this machine, and what befalls them.
 *
 * <ul>
 *   <li>{@link dev.kvorum.load.cluster.ClusterLaunch}: what a cluster needs to start.
 *   <li>{@link dev.kvorum.load.cluster.JvmOptions}: those of every node, and more.
 *   <li>{@link dev.kvorum.load.cluster.LocalCluster}: the running nodes; ends them, also on Ctrl-C.
 *   <li>{@link dev.kvorum.load.cluster.NodeProcess}: one of them.
 *   <li>{@link dev.kvorum.load.cluster.NodeLaunch}: how its process is started.
 *   <li>{@link dev.kvorum.load.cluster.ManagementPort}: what a node tells of itself.
 *   <li>{@link dev.kvorum.load.cluster.PrometheusText}: the format in which it tells it.
 *   <li>{@link dev.kvorum.load.cluster.Ports}: ports that nothing listens on.
 *   <li>{@link dev.kvorum.load.cluster.DelayProxy}: makes one node slow for the others, or leads them to another.
 *   <li>{@link dev.kvorum.load.cluster.DelayedRelay}: one direction of one of its connections.
 *   <li>{@link dev.kvorum.load.cluster.DelayLine}: in order, a while later.
 *   <li>{@link dev.kvorum.load.cluster.ChangeCommand}: changes the members, by a command of the node's jar.
 *   <li>{@link dev.kvorum.load.cluster.KnownMembers}: who they are, as the nodes tell.
 *   <li>{@link dev.kvorum.load.cluster.CopyShares}: how much each of them holds.
 * </ul>
 */
@NullMarked
package dev.kvorum.load.cluster;

import org.jspecify.annotations.NullMarked;
