/**
 * The load bench: a black box that knows nodes as processes that speak HTTP, and none of their classes.
 *
 * <ul>
 *   <li>{@link dev.kvorum.load.Bench}: the command line.
 *   <li>{@link dev.kvorum.load.ScenarioOptions}: which scenario runs; {@link dev.kvorum.load.RunOptions}: how.
 *   <li>{@link dev.kvorum.load.ChaosCommandOptions}: how a run of chaos is to be.
 *   <li>{@link dev.kvorum.load.NodeOptions}: which node runs, and where the results go.
 *   <li>{@link dev.kvorum.load.Length}, {@link dev.kvorum.load.WholeNumber}: read values of options.
 * </ul>
 */
@NullMarked
package dev.kvorum.load;

import org.jspecify.annotations.NullMarked;
