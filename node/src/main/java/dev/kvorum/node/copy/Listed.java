package dev.kvorum.node.copy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;

/**
 * A cell without its value, as one member tells another what it holds.
 *
 * @param check tells cells of one version apart, of which there should be none
 */
public record Listed(Key key, Version version, int copies, long endMillis, long check) {
    static Listed of(Key key, Cell cell, CellHash hash) {
        return new Listed(key, cell.version(), cell.copies(), cell.endMillis(), hash.check(key, cell));
    }
}
