package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Version;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a round wants a register to be.
 *
 * @param ballot that of the round. Rounds propose the same again under other ballots; what decides is the greatest ballot, not the greatest version
 * @param version of the cell; {@link Version#NONE} for a key under which there is nothing
 * @param cell null where a majority has the cell among its cells already
 * @param lineage the versions before it, the latest first, as far as they are known: at most {@value #LINEAGE_MAX}
 */
record Proposal(Version ballot, Version version, @Nullable Cell cell, List<Version> lineage) {
    /** By these the author of a write that was overtaken learns whether it had come to pass. */
    static final int LINEAGE_MAX = 16;

    Proposal {
        lineage = List.copyOf(lineage);
    }

    static Proposal of(Version ballot, Cell cell, List<Version> lineage) {
        return new Proposal(ballot, cell.version(), cell, lineage);
    }

    Proposal at(Version otherBallot) {
        return new Proposal(otherBallot, version, cell, lineage);
    }

    Proposal withoutCell() {
        return cell == null ? this : new Proposal(ballot, version, null, lineage);
    }

    /** The lineage of what is built on a version that has {@code before} behind it. */
    static List<Version> lineageBehind(Version version, List<Version> before) {
        List<Version> next = new ArrayList<>(LINEAGE_MAX);
        next.add(version);
        next.addAll(before.subList(0, Math.min(before.size(), LINEAGE_MAX - 1)));
        return next;
    }
}
