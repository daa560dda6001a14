package dev.kvorum.node.quorum;

/**
 * How many replicas must answer out of how many. With {@code R} and {@code W} the {@code ack} of a read and a write, both out
 * of {@code N = from}, a read meets at least one replica of every acknowledged write while {@code R + W > N}.
 *
 * <p>Source: Gifford, "Weighted voting for replicated data" (1979).
 *
 * @param ack how many must answer with success, 1 to {@code from}
 * @param from how many are asked, at least 1
 */
public record Quorum(int ack, int from) {
    public Quorum {
        if (ack < 1 || ack > from) {
            throw new IllegalArgumentException("ack " + ack + " is not from 1 to from " + from);
        }
    }

    /** More than half of {@code from}. */
    public static Quorum majorityOf(int from) {
        return new Quorum(from / 2 + 1, from);
    }

    @Override
    public String toString() {
        return ack + "/" + from;
    }
}
