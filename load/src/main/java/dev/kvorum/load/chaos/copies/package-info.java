/**
 * What nodes hold on their disks, asked through the interface that they have for each other.
 *
 * <ul>
 *   <li>{@link dev.kvorum.load.chaos.copies.CopyReader}: the copies of all keys on all nodes.
 *   <li>{@link dev.kvorum.load.chaos.copies.Source}: a node that is asked.
 *   <li>{@link dev.kvorum.load.chaos.copies.PeerPort}: asks one node for its cells.
 *   <li>{@link dev.kvorum.load.chaos.copies.HeldCell}: one of those.
 *   <li>{@link dev.kvorum.load.chaos.copies.Ownership}: who owns which partition.
 *   <li>{@link dev.kvorum.load.chaos.copies.FrameCaller}: calls one node as other members do: a second implementation of the protocol of members.
 *   <li>{@link dev.kvorum.load.chaos.copies.FrameSocket}: a connection that carries frames.
 * </ul>
 */
@NullMarked
package dev.kvorum.load.chaos.copies;

import org.jspecify.annotations.NullMarked;
