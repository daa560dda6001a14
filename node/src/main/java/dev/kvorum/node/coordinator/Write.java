package dev.kvorum.node.coordinator;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.HybridClock;
import dev.kvorum.node.cell.Key;
import org.jspecify.annotations.Nullable;

/** What stays of one write from attempt to attempt: its cell, and whether a replica may have that. Attempts use it one at a time. */
final class Write {
    /** A write is stamped 2 ms above the first floor it meets, 4 ms above the second, and so on, up to two to this power. Its way may take longer than others' writes follow each other. */
    private static final int MARGIN_BITS_MAX = 9;

    private final Key key;
    private final Draft draft;
    private @Nullable Cell cell;
    private boolean below;
    private int stamps = 1;
    private boolean mayExist;

    Write(Key key, Draft draft) {
        this.key = key;
        this.draft = draft;
    }

    Key key() {
        return key;
    }

    /** The same cell in all attempts: the first has it stamped with a version. After {@link #stampAnew} the value has another one. */
    Cell cell(HybridClock clock, int copies) {
        Cell known = cell;
        if (known == null) {
            known = draft.stamp(key, clock.next(), copies);
        } else if (below) {
            known = known.anew(key, clock.next(1L << Math.min(stamps++, MARGIN_BITS_MAX)), copies);
        }
        below = false;
        cell = known;
        return known;
    }

    /** The version was below one that may have been acknowledged before this write began; the clock knows that one by now. */
    void stampAnew() {
        below = true;
    }

    /** Whether a replica may have the cell before any has replied to the next attempt. */
    boolean mayExist() {
        return mayExist;
    }

    /** Replicas of an attempt that ends without an outcome may have it. */
    void mayExistFromNowOn() {
        mayExist = true;
    }
}
