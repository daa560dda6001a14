package dev.kvorum.node.clock;

/**
 * What another member's clocks showed.
 *
 * @param steadyAhead how far its {@link SteadyClock} is ahead of this node's, in milliseconds; negative if it is behind
 * @param wallAhead how far its wall clock is ahead of this node's {@link SteadyClock}, in milliseconds
 * @param error how far both may be from that, in milliseconds: half the time that the call took
 */
record ClockReading(long steadyAhead, long wallAhead, long error) {}
