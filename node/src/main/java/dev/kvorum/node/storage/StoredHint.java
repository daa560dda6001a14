package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;

/**
 * A write that a member is owed.
 *
 * @param sequence its place in the member's queue
 * @param bytes what it counts in the store
 */
public record StoredHint(long sequence, int bytes, Key key, Cell cell) {}
