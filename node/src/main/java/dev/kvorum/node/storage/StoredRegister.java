package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Key;

/** One row of a register, and whose it is. */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
public record StoredRegister(int partition, Key key, byte[] row) {}
