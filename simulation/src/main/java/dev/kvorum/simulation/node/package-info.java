/**
 * Nodes of production classes on simulated machines.
 *
 * <ul>
 *   <li>{@link dev.kvorum.simulation.node.NodeProcess}: one life of a node, composed as the wiring of a real one composes it.
 *   <li>{@link dev.kvorum.simulation.node.DiskClaim}, {@link dev.kvorum.simulation.node.Neighbours}: what it makes of the disk that it finds, and whom it asks about that.
 *   <li>{@link dev.kvorum.simulation.node.Machine}: where it runs: a disk, clocks, an address, and a process or none.
 *   <li>{@link dev.kvorum.simulation.node.Cluster}: all machines, the network between them and the topology.
 *   <li>{@link dev.kvorum.simulation.node.Operator}, {@link dev.kvorum.simulation.node.OperatorSettings}: whoever changes the members, step by step.
 *   <li>{@link dev.kvorum.simulation.node.Planning}, {@link dev.kvorum.simulation.node.DiskRoom}: plans a change before it begins, and the room on disks by which that is judged.
 *   <li>{@link dev.kvorum.simulation.node.ClusterSettings}: the settings of its nodes.
 *   <li>{@link dev.kvorum.simulation.node.World}: what all of them are made in.
 *   <li>{@link dev.kvorum.simulation.node.Sweeper}: sweeps a process's deadlines, as a thread does in a real one.
 *   <li>{@link dev.kvorum.simulation.node.ClientDoor}: where requests of clients come in.
 *   <li>{@link dev.kvorum.simulation.node.RegisterDoor}: the same for linearizable requests.
 *   <li>{@link dev.kvorum.simulation.node.ClientRequests}: those that a process has taken.
 *   <li>{@link dev.kvorum.simulation.node.UndecidedValues}: memory that reads share.
 *   <li>{@link dev.kvorum.simulation.node.AliveNote}: notes on the disk that a member is alive.
 * </ul>
 */
@NullMarked
package dev.kvorum.simulation.node;

import org.jspecify.annotations.NullMarked;
