package dev.kvorum.node.scrub;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Version;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the stored cells whose versions are further ahead than clocks may be: a former life stamped, or took, them by a wrong clock. No member takes a write that would replace one of
 * them before its time has come. Any thread.
 */
final class AheadCells {
    private static final Logger LOG = LoggerFactory.getLogger(AheadCells.class);

    private long found; // By the walk that goes on.
    private long counted; // By the last walk that was whole, or by the present one where that has found more.
    private Version furthest = Version.NONE;
    private boolean isWhole; // The walk has seen all cells so far.
    private boolean said;

    /** A walk begins with the first of all cells. */
    synchronized void begin() {
        isWhole = true;
        found = 0;
        furthest = Version.NONE;
    }

    /** @param from versions from that millisecond since 1970 on are too far ahead */
    synchronized void see(Cell cell, long from) {
        Version version = cell.version();
        if (version.millis() < from) {
            return;
        }
        found++;
        counted = Math.max(counted, found);
        furthest = version.isAbove(furthest) ? version : furthest;
    }

    /** The walk has seen the last of all cells. Says once what it found, until a walk finds none. */
    synchronized void end(long now) {
        counted = isWhole ? found : counted; // A former life has seen the first ones.
        if (found > 0 && !said) {
            LOG.warn(
                    "{} stored cells have versions too far ahead, up to {} s: a clock was wrong when they were written. Until their time has come no member"
                            + " takes writes of their keys. The command restamp moves them back: see \"Versions too far ahead\" in docs/operations.md",
                    found,
                    (furthest.millis() - now) / 1000);
        }
        said = found > 0;
    }

    synchronized long counted() {
        return counted;
    }
}
