/**
 * The peers' port: this node's replica, for the coordinators of the other members, and the node itself, for whoever changes the members.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.http.peer.PeerService}: answers the calls of {@link dev.kvorum.node.replica.PeerProtocol}.
 *   <li>{@link dev.kvorum.node.http.peer.PeerHandler}: takes them from HTTP; frames bring them without it.
 *   <li>{@link dev.kvorum.node.http.peer.MemberHandler}: takes the requests of whoever changes the members, for a {@link
 *       dev.kvorum.node.http.peer.MemberService}.
 *   <li>{@link dev.kvorum.node.http.peer.PeerServer}: the port itself.
 *   <li>{@link dev.kvorum.node.http.peer.PeerPortLimits}: what bounds its connections.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.http.peer;

import org.jspecify.annotations.NullMarked;
