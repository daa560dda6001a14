/**
 * A node, put together: all that it does, without its servers and without a framework. A program brings the ports, a directory and a store, and drives its life; the
 * simulation brings others.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.core.Arrival}: what a node makes of the directory that it finds, with the {@link dev.kvorum.node.core.Witnesses} that it asks and the {@link
 *       dev.kvorum.node.core.DataGround} that does it; {@link dev.kvorum.node.core.Opening}: whether it uses the store, begins as an empty one, or does not start; {@link
 *       dev.kvorum.node.core.Opened}: what comes of it.
 *   <li>{@link dev.kvorum.node.core.NodeCore}: the node, in the order in which a request passes through it.
 *   <li>{@link dev.kvorum.node.core.Ports}: all by which it touches the world; {@link dev.kvorum.node.core.Load}: what the process can still bear.
 *   <li>{@link dev.kvorum.node.core.CoreSettings}: the settings of the rooms that it uses.
 *   <li>{@link dev.kvorum.node.core.LifeKeeper}: notes that this member is alive; {@link dev.kvorum.node.core.OwnLife}: what its life on its disk is like.
 *   <li>{@link dev.kvorum.node.core.NodeMembership}: this node, for those that change the members; {@link dev.kvorum.node.core.SelfReport}: what it says of itself;
 *       {@link dev.kvorum.node.core.SharedAnswer}: what it finds out once for all that ask.
 *   <li>{@link dev.kvorum.node.core.Announcement}: tells the other members that this one is there.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.core;

import org.jspecify.annotations.NullMarked;
