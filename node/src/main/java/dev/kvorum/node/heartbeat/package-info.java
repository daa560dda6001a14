/**
 * What members tell each other each second: the time by their clocks ({@link dev.kvorum.node.clock.ClockWatch}), and how far their data directories have come
 * ({@link dev.kvorum.node.verification.Progress}).
 */
@NullMarked
package dev.kvorum.node.heartbeat;

import org.jspecify.annotations.NullMarked;
