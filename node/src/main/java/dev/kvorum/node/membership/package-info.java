/**
 * The topology that this node goes by: how it is learned, and that it never goes back.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.membership.Membership}: the current view; takes over newer epochs and refuses the rest.
 *   <li>{@link dev.kvorum.node.membership.ClusterView}: one epoch as this node sees it, with the placement of keys.
 *   <li>{@link dev.kvorum.node.membership.Tenure}: whether a member was removed between two topologies.
 *   <li>{@link dev.kvorum.node.membership.TopologyFile}: watches the file that names the members.
 *   <li>{@link dev.kvorum.node.membership.TopologyExchange}: brings two members to the newer of their epochs.
 *   <li>{@link dev.kvorum.node.membership.RefusedTopologyException}: one that was published and can't follow the present one.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.membership;

import org.jspecify.annotations.NullMarked;
