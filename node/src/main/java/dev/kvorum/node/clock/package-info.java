/**
 * The time that versions are made of, and how it compares with that of the other members.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.clock.SteadyClock}: runs on the monotonic clock; nobody sets it by accident.
 *   <li>{@link dev.kvorum.node.clock.ClockWatch}: compares what the other members' clocks show, and knows when this node's is wrong.
 *   <li>{@link dev.kvorum.node.clock.ClockVerdict}: what a majority of clocks says, as a pure function.
 *   <li>{@link dev.kvorum.node.clock.ClockObjection}: why this node stamps nothing, for people: {@link dev.kvorum.node.clock.ClockSkew}, its clock is wrong, or
 *       {@link dev.kvorum.node.clock.IssuedAhead}, it was.
 *   <li>{@link dev.kvorum.node.clock.ClockMetrics}: how this node's clocks compare with those of the other members.
 *   <li>{@link dev.kvorum.node.clock.ClockReading}: what another member's clocks showed.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.clock;

import org.jspecify.annotations.NullMarked;
