/**
 * Strangers that crowd a port of a node.
 *
 * <ul>
 *   <li>{@link dev.kvorum.load.crowd.Crowd}: the strangers, from one address.
 *   <li>{@link dev.kvorum.load.crowd.CrowdedPort}: which port they crowd.
 *   <li>{@link dev.kvorum.load.crowd.Habit}: how each of them behaves.
 * </ul>
 */
@NullMarked
package dev.kvorum.load.crowd;

import org.jspecify.annotations.NullMarked;
