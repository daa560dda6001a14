/**
 * Clients of a cluster in chaos, and the history of what they saw.
 *
 * <ul>
 *   <li>{@link dev.kvorum.load.chaos.client.OpenLoop}: begins operations at a steady rate, each recorded, each with one retry.
 *   <li>{@link dev.kvorum.load.chaos.client.Workload}: what they are, as the seed decides.
 *   <li>{@link dev.kvorum.load.chaos.client.Draw}: one of them.
 *   <li>{@link dev.kvorum.load.chaos.client.Payload}: what it writes.
 *   <li>{@link dev.kvorum.load.chaos.client.Target}: through which node.
 *   <li>{@link dev.kvorum.load.chaos.client.EntityClient}: sends it, and tells done, not done and unknown apart.
 *   <li>{@link dev.kvorum.load.chaos.client.Recorder}: the history's file.
 *   <li>{@link dev.kvorum.load.chaos.client.Census}: how operations ended, counted.
 * </ul>
 */
@NullMarked
package dev.kvorum.load.chaos.client;

import org.jspecify.annotations.NullMarked;
