package dev.kvorum.load.report;

import dev.kvorum.load.measure.Machine;

/**
 * The circumstances of a run.
 *
 * @param started ISO 8601, UTC
 * @param command as typed
 * @param seconds that the whole run took
 */
public record RunNote(String started, String command, long seconds, Machine machine) {}
