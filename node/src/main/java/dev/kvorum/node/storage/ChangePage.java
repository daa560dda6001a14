package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import java.util.List;

/**
 * Some changes, in their order.
 *
 * @param end the number of the last change that was looked at: the next page begins behind it
 */
public record ChangePage(List<Changed> cells, long end) {
    /** A cell as it was stored. */
    public record Changed(int partition, Key key, Cell cell) {
        private static final int HEAD_BYTES = 8; // Partition and lengths.

        /** Its length in a message. */
        public int bytes() {
            return HEAD_BYTES + key.utf8().length + cell.bytes().length;
        }
    }
}
