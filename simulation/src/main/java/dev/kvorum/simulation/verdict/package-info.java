/**
 * What is run, and what came of it. Apart from all else, so that runs of mutants, whose classes are not those of others, are told in the same.
 *
 * <ul>
 *   <li>{@link dev.kvorum.simulation.verdict.Run}: a seed, as it is to be run.
 *   <li>{@link dev.kvorum.simulation.verdict.Subject}: what it is run on.
 *   <li>{@link dev.kvorum.simulation.verdict.Verdict}: what came of it, and how to see it again.
 *   <li>{@link dev.kvorum.simulation.verdict.Shrinking}: the same with fewer faults.
 * </ul>
 */
@NullMarked
package dev.kvorum.simulation.verdict;

import org.jspecify.annotations.NullMarked;
