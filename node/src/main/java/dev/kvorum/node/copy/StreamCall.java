package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Key;
import org.jspecify.annotations.Nullable;

/** Asks for all cells that a scope counts, from a key on. */
public record StreamCall(Scope scope, @Nullable Key after) {}
