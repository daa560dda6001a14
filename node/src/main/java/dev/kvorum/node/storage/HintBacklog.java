package dev.kvorum.node.storage;

/**
 * What a member is owed.
 *
 * @param hints how many, at least 1
 * @param bytes what they count in the store
 * @param oldestMillis when the first of them was written, in milliseconds since 1970 by the clock of its coordinator
 */
public record HintBacklog(long hints, long bytes, long oldestMillis) {}
