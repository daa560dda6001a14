package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.clock.ClockObjection;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How plain writes get their versions.
 *
 * @param clock issues them
 * @param objection why no write is stamped now; empty while all is well
 */
public record Stamping(HybridClock clock, Supplier<Optional<ClockObjection>> objection) {}
