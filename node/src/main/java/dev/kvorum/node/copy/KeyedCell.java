package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;

/** A cell and what it is stored under. */
public record KeyedCell(Key key, Cell cell) {
    private static final int HEAD_BYTES = 6;

    /** Its length in a message. */
    public int bytes() {
        return HEAD_BYTES + key.utf8().length + cell.bytes().length;
    }
}
