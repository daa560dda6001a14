/**
 * The protocol between members: many calls at a time, in small binary frames, over a few connections. Specified in {@code
 * docs/peer-protocol.md}.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.frame.Frame}, {@link dev.kvorum.node.frame.FrameType}: one frame, and what it is.
 *   <li>{@link dev.kvorum.node.frame.FrameDecoder}, {@link dev.kvorum.node.frame.FrameReceiver}: from the bytes of a connection to
 *       frames.
 *   <li>{@link dev.kvorum.node.frame.Assembly}: puts bodies together that come in several frames.
 *   <li>{@link dev.kvorum.node.frame.Message}, {@link dev.kvorum.node.frame.Outbox}: what leaves a connection, many frames per flush,
 *       long bodies in turns.
 *   <li>{@link dev.kvorum.node.frame.FrameConnector}: WebClient's connector; it makes {@link
 *       dev.kvorum.node.frame.FrameRequest} and {@link dev.kvorum.node.frame.FrameResponse}.
 *   <li>{@link dev.kvorum.node.frame.PeerLink}: the way to one peer: connects, and connects again; {@link dev.kvorum.node.frame.PeerDialers}: with what.
 *   <li>{@link dev.kvorum.node.frame.FailingCalls}: calls that are late or whose connection has ended, told a few at a time.
 *   <li>{@link dev.kvorum.node.frame.CallingConnection}: the caller's end of a connection; {@link dev.kvorum.node.frame.CallRing} holds
 *       each {@link dev.kvorum.node.frame.Call} in flight.
 *   <li>{@link dev.kvorum.node.frame.PeerDoor}: whom the server's end lets in; the {@link dev.kvorum.node.frame.FrameService} behind.
 *   <li>{@link dev.kvorum.node.frame.ServingConnection}: the server's end; {@link dev.kvorum.node.frame.ServedCall} is one of its calls.
 *   <li>{@link dev.kvorum.node.frame.Ticking}: the clock of both ends.
 *   <li>{@link dev.kvorum.node.frame.FrameLimits}, {@link dev.kvorum.node.frame.Allowance}: the bounds of both ends.
 *   <li>{@link dev.kvorum.node.frame.FrameMetrics}: what goes over the connections.
 *   <li>{@link dev.kvorum.node.frame.ConnectionFault}: why a connection or a call failed, in words.
 *   <li>{@link dev.kvorum.node.frame.MalformedFrameException}, {@link dev.kvorum.node.frame.CallFailedException}: what ends a
 *       connection, and what ends a call.
 *   <li>{@link dev.kvorum.node.frame.Greeting}: what both ends of a connection say of themselves before the first call: HELLO of the caller, WELCOME of the server.
 *   <li>{@link dev.kvorum.node.frame.HeapBytes}: the bytes of Spring's buffers, without a copy where that can be.
 *   <li>{@link dev.kvorum.node.frame.PeerIdentity}: the process at one end of a connection: member, data directory and start.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.frame;

import org.jspecify.annotations.NullMarked;
