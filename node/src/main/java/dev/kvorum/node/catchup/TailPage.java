package dev.kvorum.node.catchup;

import dev.kvorum.node.copy.KeyedCell;
import java.util.List;

/**
 * A part of the end of a member's log.
 *
 * @param life drawn by chance by each process: pages of one walk must be of one process
 * @param end the number of the last change that was looked at
 * @param upTo the number of the last one of the walk
 * @param cells in the order in which they were stored
 */
record TailPage(long life, long end, long upTo, List<PlacedCell> cells) {
    /** A cell, and where it belongs. */
    record PlacedCell(int partition, KeyedCell cell) {}

    boolean isLast() {
        return end >= upTo;
    }
}
