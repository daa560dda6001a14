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
}
