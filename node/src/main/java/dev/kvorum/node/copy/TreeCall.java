package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Key;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the tree of what a scope counts, or a part of it.
 *
 * @param rank of who is asked: its strays count as well
 * @param after the key where the last part ended; null for the first
 */
public record TreeCall(
        Scope scope, Shape shape, int rank, @Nullable Key after) {}
