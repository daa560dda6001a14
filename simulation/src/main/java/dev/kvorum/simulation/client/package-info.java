/**
 * Clients, and what they do.
 *
 * <ul>
 *   <li>{@link dev.kvorum.simulation.client.Workload}: which keys they use, what they do how often, and with which quorums.
 *   <li>{@link dev.kvorum.simulation.client.SimulatedClient}: one of them: one request after the other, through any node.
 *   <li>{@link dev.kvorum.simulation.client.RegisterClient}: one of linearizable operations, and writes with a condition.
 *   <li>{@link dev.kvorum.simulation.client.Recorder}: what they saw.
 * </ul>
 */
@NullMarked
package dev.kvorum.simulation.client;

import org.jspecify.annotations.NullMarked;
