package dev.kvorum.node.repair;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * How far repair holds back for clients and the disk. Any thread may ask.
 *
 * @param restPerKib nanoseconds to rest for each KiB that is scanned
 * @param busy whether clients or the disk have so much to do that repair should wait
 */
public record Backpressure(LongSupplier restPerKib, BooleanSupplier busy) {}
