package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Key;
import org.jspecify.annotations.Nullable;

/**
 * How far a scan has come.
 *
 * @param last the last key that was visited; null if the range was visited to its end
 * @param cells how many were visited
 * @param bytes of their keys and cells
 */
public record Scanned(@Nullable Key last, int cells, long bytes) {
    /** Whether there is nothing left of the range. */
    public boolean isWhole() {
        return last == null;
    }
}
