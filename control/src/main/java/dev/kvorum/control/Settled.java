package dev.kvorum.control;

import java.util.Set;

/**
 * What a node is told before it may pull data: all members but these go by that epoch.
 *
 * @param epoch in force at all others
 * @param gone ids of members that will never come back
 */
public record Settled(long epoch, Set<String> gone) {}
