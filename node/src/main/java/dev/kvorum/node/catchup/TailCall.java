package dev.kvorum.node.catchup;

/**
 * Asks another member for what its log has of the time of which the caller has lost its own.
 *
 * @param member that asks
 * @param start the number of its present start
 * @param changes how many changes it found when it started
 * @param after the end of the page before; {@link #FIRST} for the first
 * @param upTo as the first page of the walk has said; {@link #TO_THE_END} for the first
 */
record TailCall(String member, long start, long changes, long after, long upTo) {
    static final long FIRST = -1;
    static final long TO_THE_END = -1;

    TailCall behind(TailPage page) {
        return new TailCall(member, start, changes, page.end(), page.upTo());
    }

    /** Asks for what came since that last page of a walk. */
    TailCall since(TailPage page) {
        return new TailCall(member, start, changes, page.end(), TO_THE_END);
    }

    boolean isToTheEnd() {
        return upTo == TO_THE_END;
    }

    boolean isFirst() {
        return after == FIRST;
    }
}
