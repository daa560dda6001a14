/**
 * Reads all that this node stores, in the background, and checks it: what memory or a disk has changed is found though nobody reads it, before a second replica has changed as
 * well. Pure: time, chance and store come from outside.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.scrub.Scrub}: one walk after the other, on a schedule and on demand.
 *   <li>{@link dev.kvorum.node.scrub.ScrubParts}: what it works with; {@link dev.kvorum.node.scrub.ScrubWalk}: one walk; {@link
 *       dev.kvorum.node.scrub.ScrubPosition}: how far it is, from one life of the node to the next; {@link dev.kvorum.node.scrub.ScrubPlace}: what it has come to, and could not read.
 *   <li>{@link dev.kvorum.node.scrub.ScrubFindings}: what was found; {@link dev.kvorum.node.scrub.AheadCells}: cells whose versions are too far ahead.
 *   <li>{@link dev.kvorum.node.scrub.ScrubStatus}, {@link dev.kvorum.node.scrub.ScrubMetrics}: what it tells of itself.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.scrub;

import org.jspecify.annotations.NullMarked;
