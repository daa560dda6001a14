/**
 * What members tell each other each second: the time by their clocks ({@link dev.kvorum.node.clock.ClockWatch}), and how far their data directories have come
 * ({@link dev.kvorum.node.verification.Progress}).
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.heartbeat.Heartbeat}: asks and answers.
 *   <li>{@link dev.kvorum.node.heartbeat.HeartbeatBody}: the bytes of both.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.heartbeat;

import org.jspecify.annotations.NullMarked;
