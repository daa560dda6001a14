package dev.kvorum.simulation.node;

import dev.kvorum.node.consensus.Rebirth;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.repair.Absence;
import dev.kvorum.node.repair.LostLife;
import dev.kvorum.node.repair.MemberLife;
import dev.kvorum.simulation.disk.SimulatedDisk;
import dev.kvorum.simulation.disk.SimulatedDisk.Stamp;
import dev.kvorum.simulation.node.NodeProcess.Place;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.IntPredicate;

/** What a process makes of the disk that it finds, as {@code ClusterWiring} does: whose it is, and what it lacks. */
final class DiskClaim {
    private final LostLife lost;

    private DiskClaim(LostLife lost) {
        this.lost = lost;
    }

    /** What a member held that was away for too long must not bring back what was deleted meanwhile: it is set aside. */
    static DiskClaim of(Place place, ClusterView view, long wallMillis) {
        SimulatedDisk disk = place.disk();
        Duration grace = place.settings().repair().tombstoneGrace();
        Stamp found = disk.claim(place.name(), wallMillis);
        boolean isOutlived = disk.lastAlive()
                .map(alive -> new MemberLife(alive.since(), alive.last()))
                .filter(own -> Absence.of(own, wallMillis, List.of(), grace) != Absence.SHORT)
                .filter(own -> Absence.of(own, wallMillis, place.neighbours().witnesses(view.topology()), grace)
                        == Absence.OUTLIVED)
                .isPresent();
        if (isOutlived) {
            place.neighbours().outlived();
            found = disk.setAside(place.name(), wallMillis);
        }
        return new DiskClaim(new LostLife(
                found.incarnation(),
                found.created(),
                found.rebuilding(),
                place.settings().clock().aheadMax()));
    }

    UUID incarnation() {
        return lost.incarnation();
    }

    /** Before when this member held what it does not hold any more, or never. */
    long lostBefore(ClusterView view) {
        return lost.lostBefore(view);
    }

    Rebirth rebirth(IntPredicate rebuilding, Membership membership) {
        return new Rebirth(rebuilding, () -> lost.ballotFloor(membership.view()));
    }
}
