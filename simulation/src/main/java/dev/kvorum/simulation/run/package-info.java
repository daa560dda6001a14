/**
 * A seed, run and judged.
 *
 * <ul>
 *   <li>{@link dev.kvorum.simulation.run.Simulation}: one seed from the beginning to its verdict.
 *   <li>{@link dev.kvorum.simulation.run.Course}: what all kinds of them do alike.
 *   <li>{@link dev.kvorum.simulation.run.Profile}: what cluster, load and faults a seed stands for.
 *   <li>{@link dev.kvorum.simulation.run.Emphasis}: what some seeds ask for in particular.
 *   <li>{@link dev.kvorum.simulation.run.Promised}: what its clients are promised.
 *   <li>{@link dev.kvorum.simulation.run.SettingsDraw}: the settings of its nodes.
 *   <li>{@link dev.kvorum.simulation.run.Fences}: nothing may leave the thread or fail in silence.
 *   <li>{@link dev.kvorum.simulation.run.Campaign}: many seeds, on all processors.
 *   <li>{@link dev.kvorum.simulation.run.Simulate}: the command line.
 *   <li>{@link dev.kvorum.simulation.run.RegisterSimulation}: the same with linearizable operations alone.
 * </ul>
 */
@NullMarked
package dev.kvorum.simulation.run;

import org.jspecify.annotations.NullMarked;
