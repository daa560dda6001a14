/**
 * Limits in time, thousands of which are pending at once and nearly none of which is ever reached. Pure: time comes from outside, and so
 * does the thread that looks at it.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.deadline.Deadlines}: the pending ones, by the millisecond in which they expire.
 *   <li>{@link dev.kvorum.node.deadline.Deadline}: one of them, and what is done when it is reached.
 *   <li>{@link dev.kvorum.node.deadline.Slot}: those of one millisecond.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.deadline;

import org.jspecify.annotations.NullMarked;
