/**
 * Many clients at once while something happens.
 *
 * <ul>
 *   <li>{@link dev.kvorum.e2e.traffic.Traffic}: clients that read and write at a steady rate until they are stopped.
 *   <li>{@link dev.kvorum.e2e.traffic.TrafficPlan}: how many of them do what.
 *   <li>{@link dev.kvorum.e2e.traffic.Tally}: what came of it.
 * </ul>
 */
@NullMarked
package dev.kvorum.e2e.traffic;

import org.jspecify.annotations.NullMarked;
