/**
 * Clusters of containers of the node's image.
 *
 * <ul>
 *   <li>{@link dev.kvorum.e2e.cluster.ClusterSpec}: what such a cluster is to be like.
 *   <li>{@link dev.kvorum.e2e.cluster.Cluster}: one that runs: its nodes, network and topology file.
 *   <li>{@link dev.kvorum.e2e.cluster.Node}: one node, over all lives of its container.
 *   <li>{@link dev.kvorum.e2e.cluster.NodeContainer}: how the image is run: read-only, without capabilities, one volume.
 *   <li>{@link dev.kvorum.e2e.cluster.NodeClock}: the clock of a node, which can be set apart.
 *   <li>{@link dev.kvorum.e2e.cluster.TopologyDocument}: the file that all nodes begin with.
 *   <li>{@link dev.kvorum.e2e.cluster.Subnet}: a network with addresses that stay.
 *   <li>{@link dev.kvorum.e2e.cluster.Sidecar}: a command beside a node, in its network or among its processes.
 *   <li>{@link dev.kvorum.e2e.cluster.MemberCommand}: the commands by which members are changed.
 *   <li>{@link dev.kvorum.e2e.cluster.Errand}: a command in a container of its own.
 *   <li>{@link dev.kvorum.e2e.cluster.Execution}: what came of a command in a container.
 *   <li>{@link dev.kvorum.e2e.cluster.PeerProxies}: a Toxiproxy between the nodes.
 *   <li>{@link dev.kvorum.e2e.cluster.LibraryOfImage}: a file of an image, for containers of another.
 *   <li>{@link dev.kvorum.e2e.cluster.Engine}: the container engine, and the labels by which all that is made is found again.
 *   <li>{@link dev.kvorum.e2e.cluster.Eventually}: waiting for a condition.
 * </ul>
 */
@NullMarked
package dev.kvorum.e2e.cluster;

import org.jspecify.annotations.NullMarked;
