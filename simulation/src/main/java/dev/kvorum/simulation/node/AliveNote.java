package dev.kvorum.simulation.node;

import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.repair.MemberLife;
import dev.kvorum.node.storage.DataDirectory.Alive;
import dev.kvorum.simulation.disk.SimulatedDisk;
import dev.kvorum.simulation.world.ProcessLife;
import java.time.Duration;

/** Notes on the disk that a member is alive, as long as it is and the topology names it. */
final class AliveNote {
    private static final int NOTES_PER_GRACE = 10;
    private static final Duration PERIOD_MAX = Duration.ofMinutes(1);

    private final SimulatedDisk disk;
    private final Membership membership;
    private final ProcessLife life;
    private final long since;
    private final long before;
    private final long period;

    AliveNote(SimulatedDisk disk, Membership membership, Duration grace, ProcessLife life) {
        this.disk = disk;
        this.membership = membership;
        this.life = life;
        long now = life.clock().wallMillis();
        this.before = disk.lastAlive().map(Alive::last).orElse(now);
        this.since = disk.lastAlive()
                .map(alive -> new MemberLife(alive.since(), alive.last()).resumedAt(now, grace))
                .orElse(new MemberLife(now, now))
                .since();
        this.period = Math.min(PERIOD_MAX.toNanos(), grace.toNanos() / NOTES_PER_GRACE);
        noteAgain();
    }

    private void noteAgain() {
        note();
        var _ = life.after(period, this::noteAgain);
    }

    /** Milliseconds since 1970, as this machine believes. */
    long since() {
        return since;
    }

    /** When its former life was last noted; if there was none, when this one began. */
    long before() {
        return before;
    }

    void note() {
        if (membership.view().hasSelf()) {
            disk.noteAlive(new Alive(since, life.clock().wallMillis()));
        }
    }
}
