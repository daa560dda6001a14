package dev.kvorum.node.storage.history;

import org.jspecify.annotations.Nullable;

/**
 * One life of the store.
 *
 * @param number its place, from 0 on
 * @param syncs whether each write of a cell is on the disk before it is answered
 * @param fresh whether what was there before had been set aside
 * @param begun the first of its lines
 * @param ready the line at which all had been read once, and callers began; {@link Op#NEVER} if it did not get there
 * @param ended the line behind its last
 * @param opened what it said when it was open; null if it refused to open, or died before
 * @param refusal why it refused
 * @param end how it ended
 */
record Life(
        int number,
        boolean syncs,
        boolean fresh,
        int begun,
        int ready,
        int ended,
        @Nullable Opened opened,
        @Nullable String refusal,
        End end) {
    /** Whether it was killed before it had opened what it found: so what former lives have left may be as they have left it. */
    boolean hasNotOpened() {
        return opened == null && refusal == null;
    }

    Life endedBy(End other) {
        return new Life(number, syncs, fresh, begun, ready, ended, opened, refusal, other);
    }

    /** How a life ended. */
    enum End {
        /** In order. */
        CLOSED,
        /** The process was killed. */
        KILLED,
        /** The machine lost power: of files only what was synced is there for sure. */
        POWER,
        /** It was killed, and then something happened to its files. */
        ROT;

        /** Whether something of what was acknowledged before it was on the disk may be gone. */
        boolean mayLose() {
            return this == POWER || this == ROT;
        }
    }

    /**
     * @param changes how many were on the disk
     * @param newest the newest hybrid time of former lives
     * @param wasCutOff whether the last writes may be missing, as the directory says
     * @param incomplete whether that is noted, by this life or an earlier one
     */
    record Opened(long changes, long newest, boolean wasCutOff, boolean incomplete) {}
}
