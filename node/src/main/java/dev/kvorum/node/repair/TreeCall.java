package dev.kvorum.node.repair;

import dev.kvorum.node.cell.Key;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the tree of what a scope counts, or a part of it.
 *
 * @param after the key where the last part ended; null for the first
 */
record TreeCall(Scope scope, Shape shape, @Nullable Key after) {}
