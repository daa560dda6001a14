/**
 * The load bench: a black box that knows nodes as processes that speak HTTP, and none of their classes.
 *
 * <ul>
 *   <li>{@link dev.kvorum.load.Bench}: the command line.
 *   <li>{@link dev.kvorum.load.Arguments}: what was typed.
 * </ul>
 */
@NullMarked
package dev.kvorum.load;

import org.jspecify.annotations.NullMarked;
