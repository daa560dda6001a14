package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Key;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Asks what some leaves of a partition hold, whether a scope counts it or not. */
public record ListCall(
        int partition, Shape shape, BitSet leaves, @Nullable Key after) {}
