/**
 * What the ports of a node share.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.http.Problem}: an error as RFC 9457 has it, and how it is sent.
 *   <li>{@link dev.kvorum.node.http.RefusedRequestException}: a request that can't be served, with the problem to answer.
 *   <li>{@link dev.kvorum.node.http.Body}: gathers the body of a request within a bound and a time.
 *   <li>{@link dev.kvorum.node.http.BodyGathering}: one such body on its way.
 *   <li>{@link dev.kvorum.node.http.ByteBudget}: bounds the bytes of bodies over all connections.
 *   <li>{@link dev.kvorum.node.http.Disconnect}: tells errors that only mean that the other side has gone.
 *   <li>{@link dev.kvorum.node.http.PortLimits}: the limits that every port has.
 *   <li>{@link dev.kvorum.node.http.NewConnections}: receives the connections of a port; {@link dev.kvorum.node.http.FirstHead} holds one until it has something to
 *       serve; {@link dev.kvorum.node.http.UnfinishedHeads} bounds how many are in the middle of that.
 *   <li>{@link dev.kvorum.node.http.ConnectionLimit}: bounds the connections of a port.
 *   <li>{@link dev.kvorum.node.http.ConnectionTable}: decides which connection is admitted, and which one makes room.
 *   <li>{@link dev.kvorum.node.http.Held}: one connection: whether the node waits for it, and since when.
 *   <li>{@link dev.kvorum.node.http.PortMetrics}: counts refused and closed connections.
 *   <li>{@link dev.kvorum.node.http.BodyGuard}: bounds bodies on a port whose handlers do not.
 *   <li>{@link dev.kvorum.node.http.AnswerGuard}: counts long answers from their decision until the system has taken them.
 *   <li>{@link dev.kvorum.node.http.SlowClientGuard}: closes connections whose requests do not arrive.
 *   <li>{@link dev.kvorum.node.http.IdleGuard}: closes connections that wait between requests for too long.
 *   <li>{@link dev.kvorum.node.http.RequestOrder}: hands on one request at a time, and sees that each answer reaches its client.
 *   <li>{@link dev.kvorum.node.http.RequestRules}: what HTTP demands of a request; {@link dev.kvorum.node.http.HostHeader} and {@link
 *       dev.kvorum.node.http.RequestTarget} are two parts of it.
 *   <li>{@link dev.kvorum.node.http.Refusal}: the answer to a request that is refused before its handlers see it.
 *   <li>{@link dev.kvorum.node.http.RefusedHeadException}: marks a head that is refused before it is whole.
 *   <li>{@link dev.kvorum.node.http.Countdown}: the time that a part of a request may take to arrive.
 *   <li>{@link dev.kvorum.node.http.LingeringClose}: closes a connection in stages.
 *   <li>{@link dev.kvorum.node.http.AnswerLimits}: the bounds of long answers of one port.
 *   <li>{@link dev.kvorum.node.http.BodyTransfer}: a body that arrives in parts, or an answer that its client takes in parts.
 *   <li>{@link dev.kvorum.node.http.BodyTransfers}: the transfers of a port that hold bytes of its budget while they wait for a client.
 *   <li>{@link dev.kvorum.node.http.HeadLimit}: how long the head of a request may take to arrive.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.http;

import org.jspecify.annotations.NullMarked;
