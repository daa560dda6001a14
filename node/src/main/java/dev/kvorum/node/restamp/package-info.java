/**
 * Moves versions that a wrong clock has stamped too far ahead back in time, in the data directories of nodes that are stopped.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.restamp.Restamp}: looks for them in one directory, and moves them.
 *   <li>{@link dev.kvorum.node.restamp.Shift}: which version takes the place of which; {@link dev.kvorum.node.restamp.Census}: what there is.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.restamp;

import org.jspecify.annotations.NullMarked;
