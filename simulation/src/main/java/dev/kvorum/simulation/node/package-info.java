/**
 * Nodes of production classes on simulated machines.
 *
 * <ul>
 *   <li>{@link dev.kvorum.simulation.node.NodeProcess}: one life of a node: the core of a real one, on simulated ports.
 *   <li>{@link dev.kvorum.simulation.node.Neighbours}: the others, as one that starts meets them.
 *   <li>{@link dev.kvorum.simulation.node.Machine}: where it runs: a disk, clocks, an address, and a process or none.
 *   <li>{@link dev.kvorum.simulation.node.Cluster}: all machines, the network between them and the topology.
 *   <li>{@link dev.kvorum.simulation.node.Operator}, {@link dev.kvorum.simulation.node.OperatorSettings}: whoever changes the members, step by step.
 *   <li>{@link dev.kvorum.simulation.node.Planning}, {@link dev.kvorum.simulation.node.DiskRoom}: plans a change before it begins, and the room on disks by which that is judged.
 *   <li>{@link dev.kvorum.simulation.node.World}: what all of them are made in.
 *   <li>{@link dev.kvorum.simulation.node.Sweeper}: sweeps a process's deadlines, as a thread does in a real one.
 *   <li>{@link dev.kvorum.simulation.node.ClientDoor}: where requests of clients come in.
 *   <li>{@link dev.kvorum.simulation.node.RegisterDoor}: the same for linearizable requests.
 *   <li>{@link dev.kvorum.simulation.node.ClientRequests}: those that a process has taken.
 *   <li>{@link dev.kvorum.simulation.node.UndecidedValues}: memory that reads share.
 * </ul>
 */
@NullMarked
package dev.kvorum.simulation.node;

import org.jspecify.annotations.NullMarked;
