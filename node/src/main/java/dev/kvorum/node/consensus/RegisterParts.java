package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.coordinator.InFlight;
import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.node.hint.Hints;
import java.time.Duration;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * What linearizable operations work with.
 *
 * @param clock issues ballots as well as versions
 * @param wallMillis milliseconds since 1970
 * @param deadline how long an operation may take
 * @param chance numbers from 0 to below 1; any thread
 * @param hints keeps what a voter did not take of a cell that was chosen
 */
public record RegisterParts(
        Electorates electorates,
        HybridClock clock,
        LongSupplier wallMillis,
        Duration deadline,
        Deadlines deadlines,
        DoubleSupplier chance,
        InFlight inFlight,
        Hints hints,
        RegisterMetrics metrics) {}
