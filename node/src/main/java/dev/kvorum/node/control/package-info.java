/**
 * What the management port tells and does for those who look after the cluster: {@code dev.kvorum.control} is its client.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.control.LocalMember}: this node.
 *   <li>{@link dev.kvorum.node.control.MemberOperations}: serves it to other members.
 *   <li>{@link dev.kvorum.node.control.ClusterControl}: asks and tells all members, on behalf of a command.
 *   <li>{@link dev.kvorum.node.control.Inquiry}: the way to them.
 *   <li>{@link dev.kvorum.node.control.UnpublishedException}: a topology that was not taken, or not known to be.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.control;

import org.jspecify.annotations.NullMarked;
