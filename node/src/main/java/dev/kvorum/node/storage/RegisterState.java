package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Cell;
import org.jspecify.annotations.Nullable;

/**
 * What this node holds of one register.
 *
 * @param row its row, whose form is not the store's concern; null where there is none
 * @param cell the newest cell under its key; null where there is none
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
public record RegisterState(byte @Nullable [] row, @Nullable Cell cell) {}
