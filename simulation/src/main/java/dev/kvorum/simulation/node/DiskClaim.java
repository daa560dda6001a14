package dev.kvorum.simulation.node;

import dev.kvorum.node.consensus.Rebirth;
import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.membership.Membership;
import dev.kvorum.node.repair.Absence;
import dev.kvorum.node.repair.Life;
import dev.kvorum.node.repair.Verifications;
import dev.kvorum.simulation.disk.SimulatedDisk;
import dev.kvorum.simulation.disk.SimulatedDisk.Stamp;
import dev.kvorum.simulation.node.NodeProcess.Place;
import dev.kvorum.topology.Member;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.IntPredicate;

/** What a process makes of the disk that it finds, as {@code ClusterWiring} and {@code LostLife} do: whose it is, and what it lacks. */
final class DiskClaim {
    private final Stamp stamp;
    private final ClusterSettings settings;

    private DiskClaim(Stamp stamp, ClusterSettings settings) {
        this.stamp = stamp;
        this.settings = settings;
    }

    /** What a member held that was away for too long must not bring back what was deleted meanwhile: it is set aside. */
    static DiskClaim of(Place place, ClusterView view, long wallMillis) {
        SimulatedDisk disk = place.disk();
        Duration grace = place.settings().repair().tombstoneGrace();
        Stamp found = disk.claim(place.name(), wallMillis);
        boolean isOutlived = disk.lastAlive()
                .map(alive -> new Life(alive.since(), alive.last()))
                .filter(own -> Absence.of(own, wallMillis, List.of(), grace) != Absence.SHORT)
                .filter(own -> Absence.of(own, wallMillis, place.neighbours().witnesses(view.topology()), grace)
                        == Absence.OUTLIVED)
                .isPresent();
        if (isOutlived) {
            place.neighbours().outlived();
            found = disk.setAside(place.name(), wallMillis);
        }
        return new DiskClaim(found, place.settings());
    }

    UUID incarnation() {
        return stamp.incarnation();
    }

    /** When the life that this disk knows nothing of had ended at the latest; 0 if there was none. */
    private long endedBy(ClusterView view) {
        boolean isAnother = view.topology()
                .member(view.self())
                .flatMap(Member::knownIncarnation)
                .filter(known -> !known.equals(stamp.incarnation()))
                .isPresent();
        return isAnother ? Math.max(stamp.created(), stamp.rebuilding()) : stamp.rebuilding();
    }

    /** Before when this member held what it does not hold any more, or never. */
    long lostBefore(ClusterView view) {
        long ended = endedBy(view);
        return ended == 0 ? Verifications.NEVER : ended;
    }

    Rebirth rebirth(IntPredicate rebuilding, Membership membership) {
        long ahead = settings.clock().aheadMax().toMillis();
        return new Rebirth(rebuilding, () -> {
            long ended = endedBy(membership.view());
            return ended == 0 ? 0 : ended + ahead;
        });
    }
}
