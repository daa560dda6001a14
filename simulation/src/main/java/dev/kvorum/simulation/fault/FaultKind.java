package dev.kvorum.simulation.fault;

import dev.kvorum.simulation.node.Cluster;
import dev.kvorum.simulation.world.Chance;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** All kinds of faults there are. */
public enum FaultKind {
    KILL,
    ABSENCE,
    RESTART,
    FREEZE,
    POWER_LOSS,
    DISK_LOSS,
    ONE_WAY_CUT,
    PARTITION,
    ISOLATION,
    SWIZZLE_CLOG,
    LOSS,
    DUPLICATION,
    DELAY,
    FULL_LINK,
    SLOW_DISK,
    FAILING_WRITES,
    FULL_DISK,
    FAILING_READS,
    CLOCK_JUMP,
    CLOCK_DRIFT,
    NEW_EPOCH,
    MEMBERSHIP_CHANGE,
    CLOCK_RESET,
    LONG_ISOLATION,
    EXILE,
    MISSED_CHANGE,
    FLIPPED_BIT,
    OLDER_DISK,
    BLACKOUT,
    CUT_RELAY,
    OLDER_RELAY,
    DAMAGED_RELAY,
    LYING_SYNCS,
    DAMAGED_LOG,
    MISDIRECTED_WRITE,
    MISLED_ADDRESS,
    SECOND_CONTENT,
    CLOCK_STEP;

    private static final long LASTS_MIN = 5_000_000;
    private static final long SOME = 2_000_000_000L;
    private static final long LONG = 45_000_000_000L;
    private static final Set<FaultKind> SPECIAL = EnumSet.range(CLOCK_RESET, CLOCK_STEP);

    /** Those that any seed may have: the others are for seeds that ask for them, as they would spoil what the rest look for. */
    public static List<FaultKind> common() {
        return Arrays.stream(values()).filter(kind -> !SPECIAL.contains(kind)).toList();
    }

    /** How long one lasts at least, in nanoseconds. */
    long lastsMin() {
        return switch (this) {
            case LONG_ISOLATION, EXILE -> LONG;
            case OLDER_DISK, LYING_SYNCS, MISLED_ADDRESS, SECOND_CONTENT -> SOME; // So that the copy lacks something.
            case CUT_RELAY, OLDER_RELAY, DAMAGED_RELAY -> Relay.LASTS_MIN;
            default -> LASTS_MIN;
        };
    }

    /**
     * Whether nothing is lost by it: when it is over, hints bring every write to every replica. After the others they may not: a hint dies with its
     * node, is not kept where the disk fails, is refused where clocks differ too much, and may be for a member that has left.
     */
    public boolean isPassing() {
        return switch (this) {
            case FREEZE,
                    ONE_WAY_CUT,
                    PARTITION,
                    ISOLATION,
                    SWIZZLE_CLOG,
                    LOSS,
                    DUPLICATION,
                    DELAY,
                    FULL_LINK,
                    CLOCK_DRIFT,
                    NEW_EPOCH -> true;
            case KILL,
                    ABSENCE,
                    RESTART,
                    POWER_LOSS,
                    DISK_LOSS,
                    SLOW_DISK,
                    FAILING_WRITES,
                    FULL_DISK,
                    FAILING_READS,
                    CLOCK_JUMP,
                    CLOCK_RESET,
                    LONG_ISOLATION,
                    EXILE,
                    MISSED_CHANGE,
                    FLIPPED_BIT,
                    OLDER_DISK,
                    BLACKOUT,
                    CUT_RELAY,
                    OLDER_RELAY,
                    DAMAGED_RELAY,
                    LYING_SYNCS,
                    DAMAGED_LOG,
                    MISDIRECTED_WRITE,
                    MISLED_ADDRESS,
                    SECOND_CONTENT,
                    CLOCK_STEP,
                    MEMBERSHIP_CHANGE -> false;
        };
    }

    /** Whether a disk forgets by it what its member has promised. */
    public boolean losesDisks() {
        return this == DISK_LOSS
                || this == OLDER_DISK
                || this == OLDER_RELAY
                || this == DAMAGED_RELAY
                || this == LYING_SYNCS
                || this == DAMAGED_LOG;
    }

    /** One of that kind. All chance in it is taken now, so that it does not depend on when it begins. */
    Fault make(Cluster cluster, Chance chance) {
        return switch (this) {
            case KILL -> ProcessFaults.kill(cluster, chance);
            case ABSENCE -> ProcessFaults.absence(cluster, chance);
            case RESTART -> ProcessFaults.restart(cluster, chance);
            case FREEZE -> ProcessFaults.freeze(cluster, chance);
            case POWER_LOSS -> ProcessFaults.powerLoss(cluster, chance);
            case DISK_LOSS -> ProcessFaults.diskLoss(cluster, chance);
            case ONE_WAY_CUT -> NetworkFaults.oneWayCut(cluster, chance);
            case PARTITION -> NetworkFaults.partition(cluster, chance);
            case ISOLATION -> NetworkFaults.isolation(cluster, chance);
            case SWIZZLE_CLOG -> NetworkFaults.swizzleClog(cluster, chance);
            case LOSS -> NetworkFaults.loss(cluster, chance);
            case DUPLICATION -> NetworkFaults.duplication(cluster, chance);
            case DELAY -> NetworkFaults.delay(cluster, chance);
            case FULL_LINK -> NetworkFaults.fullLink(cluster, chance);
            case SLOW_DISK -> DiskFaults.slow(cluster, chance);
            case FAILING_WRITES -> DiskFaults.failingWrites(cluster, chance);
            case FULL_DISK -> DiskFaults.full(cluster, chance);
            case FAILING_READS -> DiskFaults.failingReads(cluster, chance);
            case CLOCK_JUMP -> ClockFaults.jump(cluster, chance);
            case CLOCK_DRIFT -> ClockFaults.drift(cluster, chance);
            case NEW_EPOCH -> MembershipChanges.newEpoch(cluster);
            case MEMBERSHIP_CHANGE -> MembershipChanges.change(cluster, chance);
            case CLOCK_RESET -> ClockFaults.reset(cluster, chance);
            case LONG_ISOLATION -> NetworkFaults.isolation(cluster, chance);
            case EXILE -> MembershipChanges.exile(cluster, chance);
            case OLDER_DISK -> DiskFaults.older(cluster, chance);
            case BLACKOUT -> ProcessFaults.blackout(cluster, chance);
            case CUT_RELAY -> Relay.cut(cluster, chance);
            case OLDER_RELAY -> Relay.older(cluster, chance);
            case DAMAGED_RELAY -> Relay.damaged(cluster, chance);
            case LYING_SYNCS -> DiskFaults.lying(cluster, chance);
            case DAMAGED_LOG -> DiskFaults.damagedLog(cluster, chance);
            case MISDIRECTED_WRITE -> DiskFaults.misdirectedWrite(cluster, chance);
            case MISLED_ADDRESS -> NetworkFaults.misledAddress(cluster, chance);
            case SECOND_CONTENT -> MembershipChanges.secondContent(cluster, chance);
            case CLOCK_STEP -> ClockFaults.step(cluster, chance);
            case FLIPPED_BIT -> DiskFaults.flippedBit(cluster, chance);
            case MISSED_CHANGE -> MembershipChanges.missedChange(cluster, chance);
        };
    }
}
