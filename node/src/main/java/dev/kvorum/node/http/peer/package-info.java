/**
 * The members' port: frames only.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.http.peer.PeerServer}: the port itself; a {@link dev.kvorum.node.frame.PeerDoor} serves its connections.
 *   <li>{@link dev.kvorum.node.http.peer.FirstFrame}: holds a connection until it has said something.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.http.peer;

import org.jspecify.annotations.NullMarked;
