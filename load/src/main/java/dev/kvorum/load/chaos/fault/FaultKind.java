package dev.kvorum.load.chaos.fault;

/** What befalls nodes. */
public enum FaultKind {
    /** {@code kill -9}, and a start some time later. */
    KILL(5),
    /** {@code kill -9} of all nodes within a moment: nothing is left but what is on disks. */
    KILL_ALL(1),
    /** An orderly stop, and a start. */
    RESTART(2),
    /** {@code SIGSTOP}: connections stay open, nothing answers; {@code SIGCONT} some time later. */
    FREEZE(4),
    /** No byte more fits on the disk, for a time. */
    FULL_DISK(3),
    /** The same, and {@code kill -9} in the middle of it. */
    FULL_DISK_KILL(2),
    /** The clock of a node is set, and some time later set right. */
    CLOCK_STEP(2),
    /** The clock of a node runs too fast or too slowly, and is set right some time later. */
    CLOCK_DRIFT(1),
    /** {@code kill -9}, a start with a wrong clock, which is set right some time later. */
    CLOCK_START(2),
    /** {@code kill -9}, a bit of a file flips or a file is lost, and a start. */
    ROTTEN_FILE(3),
    /** The data directory of a stopped node is copied, the node goes on, and then finds the copy. */
    ROLLED_BACK(2),
    /** The address of a member leads to another member for some time. */
    WRONG_ADDRESS(2),
    /** Two members have each other's address for some time. */
    SWAPPED_ADDRESSES(1),
    /** A further node becomes a member; whoever drives that may be killed in the middle, and another goes on. */
    ADD_NODE(2),
    /** A member leaves the cluster, in the same way. */
    REMOVE_NODE(2),
    /** A further node is to become a member, and some time later is not. */
    CANCELLED_CHANGE(1);

    private final int share;

    /** @param share how often, in proportion to the others */
    FaultKind(int share) {
        this.share = share;
    }

    int share() {
        return share;
    }

    /** Whether it is a change of the members. */
    public boolean changesMembers() {
        return this == ADD_NODE || this == REMOVE_NODE || this == CANCELLED_CHANGE;
    }

    boolean fillsDisk() {
        return this == FULL_DISK || this == FULL_DISK_KILL;
    }

    /** Whether a disk loses something. */
    boolean damagesDisk() {
        return this == ROTTEN_FILE || this == ROLLED_BACK;
    }

    /** Whether a clock is wrong. */
    public boolean setsClock() {
        return this == CLOCK_STEP || this == CLOCK_DRIFT || this == CLOCK_START;
    }

    boolean misleads() {
        return this == WRONG_ADDRESS || this == SWAPPED_ADDRESSES;
    }

    /** Whether nodes need some seconds to see it: the store's log has room left on a full disk, and members tell each other their times and progress once a second. */
    boolean takesTime() {
        return fillsDisk() || setsClock() || misleads() || this == ROLLED_BACK;
    }
}
