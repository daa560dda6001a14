package dev.kvorum.node.restamp;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import java.util.ArrayList;
import java.util.List;

/** What a data directory has of versions from a time on, and before it. One thread. */
public final class Census {
    private static final int KEYS_MAX = 20;

    private final long fromMillis;
    private final List<String> keys = new ArrayList<>();
    private long cells;
    private long rows;
    private long hints;
    private long damaged;
    private long firstAhead = Long.MAX_VALUE;
    private long lastAhead;
    private long clockAhead;
    private long newestBefore;

    Census(long fromMillis) {
        this.fromMillis = fromMillis;
    }

    void cell(Key key, Version version) {
        if (see(version.millis())) {
            cells++;
            if (keys.size() < KEYS_MAX) {
                keys.add(key.toString());
            }
        }
    }

    void hint(Version version) {
        hints += see(version.millis()) ? 1 : 0;
    }

    void row(boolean isAhead) {
        rows += isAhead ? 1 : 0;
    }

    void foundDamaged() {
        damaged++;
    }

    /** The note of the newest version that the node has issued or seen. */
    void clock(long millis) {
        if (millis < fromMillis) {
            newestBefore = Math.max(newestBefore, millis);
        } else {
            clockAhead = millis;
        }
    }

    /** Whether a version of that time, in a cell, a register or a hint, is among those from the time on. */
    boolean see(long millis) {
        if (millis < fromMillis) {
            newestBefore = Math.max(newestBefore, millis);
            return false;
        }
        firstAhead = Math.min(firstAhead, millis);
        lastAhead = Math.max(lastAhead, millis);
        return true;
    }

    /** Stored cells with such versions. */
    public long cells() {
        return cells;
    }

    /** Registers whose rows have such versions. */
    public long rows() {
        return rows;
    }

    /** Hints with such versions. */
    public long hints() {
        return hints;
    }

    /** What is damaged, and stays as it is. */
    public long damaged() {
        return damaged;
    }

    /** The first keys of such cells. */
    public List<String> keys() {
        return List.copyOf(keys);
    }

    /** Whether a cell, a register or a hint has such a version. */
    public boolean hasAny() {
        return lastAhead > 0;
    }

    /** The time of the first such version of a cell, a register or a hint, in milliseconds since 1970; meaningless where there is none. */
    public long firstAhead() {
        return firstAhead;
    }

    /** The time of the last such version, in the same; 0 where there is none. */
    public long lastAhead() {
        return lastAhead;
    }

    /** The time of the node's own clock, in the same: it issues no version below. 0 where that is before. */
    public long clockAhead() {
        return clockAhead;
    }

    /** The time of the newest version before; 0 where there is none. */
    public long newestBefore() {
        return newestBefore;
    }
}
