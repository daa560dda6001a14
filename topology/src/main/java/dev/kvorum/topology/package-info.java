/**
 * Who stores what: the members of a cluster at one epoch, and the replicas of every key among them.
 *
 * <ul>
 *   <li>{@link dev.kvorum.topology.Topology}: the cluster at one epoch, validated as a whole.
 *   <li>{@link dev.kvorum.topology.Member}: one node, with its addresses, zone, state and weight.
 *   <li>{@link dev.kvorum.topology.MemberState}: whether a member owns data now, soon, or not much longer.
 *   <li>{@link dev.kvorum.topology.Reads}: whom reads ask while members join or leave.
 *   <li>{@link dev.kvorum.topology.Succession}: which topology may follow which, so that the quorums of neighbours meet.
 *   <li>{@link dev.kvorum.topology.Partitioning}: from the bytes of a key to its partition.
 *   <li>{@link dev.kvorum.topology.Placement}: from a partition to the ordered members that hold it.
 *   <li>{@link dev.kvorum.topology.TopologyJson}: the topology file, read and written.
 *   <li>{@link dev.kvorum.topology.InvalidTopologyException}: what is wrong with a topology, in words.
 *   <li>{@link dev.kvorum.topology.Digest}: the digest of a topology.
 * </ul>
 *
 * <p>Everything here is immutable and pure: no I/O, no clock, no threads. Node and operator share it, so that both compute
 * the same owners from the same file.
 */
@NullMarked
package dev.kvorum.topology;

import org.jspecify.annotations.NullMarked;
