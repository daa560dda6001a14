package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Version;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a register stands, by the promises of a majority: what a round has to build on.
 *
 * <p>Of what was accepted only the proposal of the greatest ballot counts: it may have been chosen, and if anything was chosen before, it is that or built on
 * it. If its version is above that of every cell, it is {@code open} and the state of the register. Otherwise the newest cell is: it is that proposal,
 * committed, or was written without a round and wins by its version, as everywhere.
 *
 * @param open the proposal that has to be finished or built on; null if there is none
 * @param newest the head of the newest cell; null if there is none
 * @param lineage the versions before the state, the latest first, as far as they are known
 */
record Standing(@Nullable Proposal open, @Nullable Cell newest, List<Version> lineage) {
    static Standing of(List<Vote> votes) {
        Proposal last = null;
        Cell newest = null;
        for (Vote vote : votes) {
            if (vote instanceof Vote.Promised promised) {
                last = later(last, promised.accepted());
                newest = Cell.newest(newest, promised.newest());
            }
        }
        Version known = newest == null ? Version.NONE : newest.version();
        boolean isOpen = last != null && last.version().isAbove(known) && last.cell() != null;
        if (last != null && isOpen) {
            return new Standing(last, newest, last.lineage());
        }
        return new Standing(null, newest, lineageOf(known, votes));
    }

    private static @Nullable Proposal later(@Nullable Proposal one, @Nullable Proposal other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.ballot().isAbove(other.ballot()) ? one : other;
    }

    private static List<Version> lineageOf(Version version, List<Vote> votes) {
        for (Vote vote : votes) {
            if (vote instanceof Vote.Promised promised
                    && promised.accepted() != null
                    && promised.accepted().version().equals(version)) {
                return promised.accepted().lineage();
            }
        }
        return List.of();
    }

    /** The cell that is the state, or its head; null if there is none. */
    @Nullable
    Cell state() {
        return open == null ? newest : open.cell();
    }

    /** That of the state; {@link Version#NONE} if there is none. */
    Version version() {
        Cell state = state();
        return state == null ? Version.NONE : state.version();
    }

    /** The version of the state and those before it, the latest first. */
    List<Version> line() {
        List<Version> line = new ArrayList<>(lineage.size() + 1);
        line.add(version());
        line.addAll(lineage);
        return line;
    }
}
