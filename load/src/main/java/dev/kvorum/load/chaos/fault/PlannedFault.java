package dev.kvorum.load.chaos.fault;

import java.time.Duration;

/**
 * A fault of a schedule.
 *
 * @param at     after the beginning
 * @param lasts  until what is done about it begins
 * @param chance decides whom it befalls, uniformly in all numbers from 0 on: who is there to choose from depends on the run
 */
public record PlannedFault(Duration at, FaultKind kind, Duration lasts, int chance) {}
