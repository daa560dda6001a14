package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Cell;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a register.
 *
 * @param answer for whoever asked
 * @param row its row from now on; null leaves it, {@link #NO_ROW} removes it
 * @param cell to be merged into what the key has; null for none
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
public record RegisterStep<T>(
        T answer, byte @Nullable [] row, @Nullable Cell cell) {
    public static final byte[] NO_ROW = {};

    /** Nothing changes. */
    public static <T> RegisterStep<T> none(T answer) {
        return new RegisterStep<>(answer, null, null);
    }

    public static <T> RegisterStep<T> row(T answer, byte[] row) {
        return new RegisterStep<>(answer, row, null);
    }

    public boolean removesRow() {
        return row != null && row.length == 0;
    }

    public boolean isChange() {
        return row != null || cell != null;
    }
}
