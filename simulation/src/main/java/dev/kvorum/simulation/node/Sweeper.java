package dev.kvorum.simulation.node;

import dev.kvorum.node.deadline.Deadlines;
import dev.kvorum.simulation.world.Chance;
import dev.kvorum.simulation.world.ProcessLife;
import dev.kvorum.simulation.world.ProcessLife.Later;
import org.jspecify.annotations.Nullable;

/** Sweeps a process's deadlines when one is due, as a thread of its own does in a real one: so it comes a little late. */
final class Sweeper {
    /** In nanoseconds. */
    private static final long LATE_MAX = 200_000;

    private final ProcessLife life;
    private final Chance chance;
    private final Deadlines deadlines;
    private @Nullable Later next;

    Sweeper(ProcessLife life, Chance chance) {
        this.life = life;
        this.chance = chance;
        this.deadlines = new Deadlines(life.clock()::nanos, this::wake);
    }

    Deadlines deadlines() {
        return deadlines;
    }

    private void wake() {
        sweepIn(0);
    }

    private void sweepIn(long nanos) {
        if (next != null) {
            next.cancel();
        }
        next = life.after(nanos + chance.from(0, LATE_MAX), this::sweep);
    }

    private void sweep() {
        next = null;
        long wait = deadlines.sweep();
        if (wait != Deadlines.NEVER && next == null) { // What expired may have woken it already.
            sweepIn(wait);
        }
    }
}
