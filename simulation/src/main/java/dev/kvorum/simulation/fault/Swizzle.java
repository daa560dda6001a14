package dev.kvorum.simulation.fault;

import dev.kvorum.simulation.network.Link;
import dev.kvorum.simulation.network.LinkFault;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.Timeline;
import java.util.ArrayList;
import java.util.List;

/**
 * Ways that are clogged one after the other, and let go in another order; each lets go what it held in any order. It finds what depends on the
 * order in which nodes lose and find each other.
 *
 * <p>Source: Zhou et al., "FoundationDB: a distributed unbundled transactional key value store" (2021), whose simulator has it.
 */
final class Swizzle {
    /** Between two ways at most, in nanoseconds. */
    private static final long STEP_MAX = 100_000_000;

    private final List<Link> ways;
    private final Timeline timeline;
    private final Chance chance;
    private final List<Link> clogged = new ArrayList<>();
    private boolean over;

    Swizzle(List<Link> ways, Timeline timeline, Chance chance) {
        this.ways = ways;
        this.timeline = timeline;
        this.chance = chance;
    }

    void begin() {
        long at = 0;
        for (Link way : ways) {
            var _ = timeline.after(at, () -> clog(way));
            at += chance.from(0, STEP_MAX);
        }
    }

    private void clog(Link way) {
        if (!over) {
            way.begin(LinkFault.clog());
            clogged.add(way);
        }
    }

    void end() {
        over = true;
        long at = 0;
        for (Link way : chance.shuffled(clogged)) {
            var _ = timeline.after(at, () -> way.end(LinkFault.clog()));
            at += chance.from(0, STEP_MAX);
        }
    }
}
