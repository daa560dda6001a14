package dev.kvorum.node.storage;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;

/** Sees the cells of a scan, one after the other, on the store's thread for scans: it may compute, but not wait. */
@FunctionalInterface
public interface CellVisitor {
    /** Sees the next cell, which may be kept; false ends the scan with this one. */
    boolean visit(Key key, Cell cell);
}
