package dev.kvorum.topology;

/** Where a member stands in a membership change. */
public enum MemberState {
    /** Pulls the partitions that it will own; reads do not ask it yet. */
    JOINING(false, true),
    /** Owns partitions, before and after the change. */
    ACTIVE(true, true),
    /** Still owns partitions, until its successors hold them. */
    LEAVING(true, false);

    private final boolean current;
    private final boolean next;

    MemberState(boolean current, boolean next) {
        this.current = current;
        this.next = next;
    }

    /** Whether a member in this state owns partitions under the present epoch. */
    public boolean ownsNow() {
        return current;
    }

    /** Whether it will own partitions once the change is final. */
    public boolean ownsNext() {
        return next;
    }
}
