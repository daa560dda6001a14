/**
 * One replica as a coordinator sees it: the local store, or a call to another member.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.replica.Replica}: what a replica can be asked for.
 *   <li>{@link dev.kvorum.node.replica.WriteReply}, {@link dev.kvorum.node.replica.ReadReply}, {@link
 *       dev.kvorum.node.replica.ReplicaFailure}: what it answers; a failure is an answer too.
 *   <li>{@link dev.kvorum.node.replica.LocalReplica}: the store of this node.
 *   <li>{@link dev.kvorum.node.replica.Contradictions}: refuses members that go by another topology of the same epoch.
 *   <li>{@link dev.kvorum.node.replica.RemoteReplica}: another member, called through WebClient.
 *   <li>{@link dev.kvorum.node.replica.PeerCalls}: other calls to members, each answered by a {@link
 *       dev.kvorum.node.replica.CallReply}; {@link dev.kvorum.node.replica.RemoteCalls} makes them over the same connections.
 *   <li>{@link dev.kvorum.node.replica.PeerClient}: sends every call from node to node. {@link dev.kvorum.node.replica.PeerAccess} is what its callers share.
 *   <li>{@link dev.kvorum.node.replica.CallFailures}: how a call failed, in words of the protocol.
 *   <li>{@link dev.kvorum.node.replica.PeerInquiry}: calls to nodes over connections of their own.
 *   <li>{@link dev.kvorum.node.replica.PeerOperation}: all that members ask each other for.
 *   <li>{@link dev.kvorum.node.replica.PeerService}: answers their calls, by the {@link dev.kvorum.node.replica.CallHandler}s that features put into its {@link
 *       dev.kvorum.node.replica.CallHandlers}.
 *   <li>{@link dev.kvorum.node.replica.MalformedCallException}: a body that is not what it should be.
 *   <li>{@link dev.kvorum.node.replica.PeerProtocol}: how such a call looks on the wire, for both of its ends.
 *   <li>{@link dev.kvorum.node.replica.PeerTopologies}: exchanges topologies with another member.
 *   <li>{@link dev.kvorum.node.replica.HostsFile}: the hosts file as it is now, for connections to members.
 *   <li>{@link dev.kvorum.node.replica.PeerTransport}: makes the WebClient, over frames.
 *   <li>{@link dev.kvorum.node.replica.Replicas}: the replica of each member of the current topology.
 *   <li>{@link dev.kvorum.node.replica.ObservedReplica}, {@link dev.kvorum.node.replica.ObservedCall}: a replica whose calls are timed.
 *   <li>{@link dev.kvorum.node.replica.ReplicaHealth}: how a replica has answered lately.
 *   <li>{@link dev.kvorum.node.replica.AnswerTime}, {@link dev.kvorum.node.replica.RecentQuantile}: how long it took.
 *   <li>{@link dev.kvorum.node.replica.Breaker}: whether reads should count on it.
 *   <li>{@link dev.kvorum.node.replica.HealthLog}: says in the log, once, when reads begin to avoid a member and when they trust it again.
 *   <li>{@link dev.kvorum.node.replica.ReplicaMetrics}: calls by member and outcome.
 *   <li>{@link dev.kvorum.node.replica.Floors}: the newest version that this node has acknowledged, by stripes of keys.
 *   <li>{@link dev.kvorum.node.replica.MessageReader}: takes it apart again.
 *   <li>{@link dev.kvorum.node.replica.MessageWriter}: puts together the body of a call or reply.
 *   <li>{@link dev.kvorum.node.replica.Peers}: the ways to the other members.
 *   <li>{@link dev.kvorum.node.replica.OwnReplica}: the replica on this node, for work that stores many cells.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.replica;

import org.jspecify.annotations.NullMarked;
