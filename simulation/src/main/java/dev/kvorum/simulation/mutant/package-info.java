/**
 * Mutants: production classes with a mistake in them, which the simulation must catch. A mutant is a text file that reads like a patch; it is
 * compiled on demand and seen by its own runs only.
 *
 * <ul>
 *   <li>{@link dev.kvorum.simulation.mutant.Mutant}: one mistake: which lines become which.
 *   <li>{@link dev.kvorum.simulation.mutant.MutantCompiler}: compiles the classes with the mistake.
 *   <li>{@link dev.kvorum.simulation.mutant.MutantLoader}: loads a simulation and a node that have it.
 *   <li>{@link dev.kvorum.simulation.mutant.MutantRun}: runs seeds on a mutant.
 *   <li>{@link dev.kvorum.simulation.mutant.SourceTree}: where the sources of the project are.
 * </ul>
 */
@NullMarked
package dev.kvorum.simulation.mutant;

import org.jspecify.annotations.NullMarked;
