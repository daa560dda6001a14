/**
 * What a simulated world consists of before there is a node in it: time, chance, and what happened.
 *
 * <ul>
 *   <li>{@link dev.kvorum.simulation.world.Timeline}: virtual time, and the events in it, one after the other on one thread.
 *   <li>{@link dev.kvorum.simulation.world.Chance}: the one source of randomness, from the seed.
 *   <li>{@link dev.kvorum.simulation.world.MachineClock}: what the clocks of a machine show: they drift, and are set.
 *   <li>{@link dev.kvorum.simulation.world.ProcessLife}: a process from its start to its end, which may be frozen in between.
 *   <li>{@link dev.kvorum.simulation.world.LifeScheduler}: Reactor's scheduler for what such a process does later.
 *   <li>{@link dev.kvorum.simulation.world.Trace}: what happened, as a hash and, if asked for, in words.
 *   <li>{@link dev.kvorum.simulation.world.Bugs}: errors that nobody expects.
 * </ul>
 */
@NullMarked
package dev.kvorum.simulation.world;

import org.jspecify.annotations.NullMarked;
