package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.clock.ClockSkew;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How plain writes get their versions.
 *
 * @param clock issues them
 * @param skew what is wrong with this node's clock: then no write is stamped; empty while all is well
 */
public record Stamping(HybridClock clock, Supplier<Optional<ClockSkew>> skew) {}
