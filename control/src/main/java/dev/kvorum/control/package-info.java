/**
 * The control interface of nodes, on their management port ({@code docs/control.md}). The node's commands, the operator and the bench share it.
 *
 * <ul>
 *   <li>{@link dev.kvorum.control.ControlClient}: asks nodes over HTTP.
 *   <li>{@link dev.kvorum.control.NodeControl}: what one node can be asked.
 *   <li>{@link dev.kvorum.control.ControlException}: a node refused, or could not be asked.
 *   <li>{@link dev.kvorum.control.ClusterReport}, {@link dev.kvorum.control.Settled}, {@link dev.kvorum.control.Peer}: what goes over it besides topologies and
 *       reports of members; {@link dev.kvorum.control.ControlJson} writes and reads it.
 * </ul>
 */
@NullMarked
package dev.kvorum.control;

import org.jspecify.annotations.NullMarked;
