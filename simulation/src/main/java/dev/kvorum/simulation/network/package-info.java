/**
 * The network between simulated machines, and the peers' calls over it.
 *
 * <ul>
 *   <li>{@link dev.kvorum.simulation.network.Network}: the ways between all machines and clients.
 *   <li>{@link dev.kvorum.simulation.network.Link}: one of them, one way.
 *   <li>{@link dev.kvorum.simulation.network.Weather}: how long messages take on a good day.
 *   <li>{@link dev.kvorum.simulation.network.LinkFault}: what is wrong with a link for a time.
 *   <li>{@link dev.kvorum.simulation.network.Message}: what goes over it.
 *   <li>{@link dev.kvorum.simulation.network.Station}: what is found under an address: a machine, with a process or without.
 *   <li>{@link dev.kvorum.simulation.network.PeerLine}: one process's connector: its WebClient, {@link dev.kvorum.simulation.network.SimulatedPeers}, calls through it.
 *   <li>{@link dev.kvorum.simulation.network.PeerDoor}: where calls of others come in.
 *   <li>{@link dev.kvorum.simulation.network.OpenCall}: a call from when it is made to its end.
 *   <li>{@link dev.kvorum.simulation.network.LineRequest}, {@link dev.kvorum.simulation.network.LineResponse}: a call as WebClient sees it.
 * </ul>
 */
@NullMarked
package dev.kvorum.simulation.network;

import org.jspecify.annotations.NullMarked;
