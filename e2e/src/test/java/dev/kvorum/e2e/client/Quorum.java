package dev.kvorum.e2e.client;

/** How many replicas must answer out of how many are asked. */
public record Quorum(int ack, int from) {
    public static final Quorum MAJORITY_OF_3 = new Quorum(2, 3);
    public static final Quorum ALL_OF_3 = new Quorum(3, 3);
    public static final Quorum ONE_OF_3 = new Quorum(1, 3);

    /** A majority of all. */
    public static Quorum majorityOf(int from) {
        return new Quorum(from / 2 + 1, from);
    }

    @Override
    public String toString() {
        return ack + "/" + from;
    }
}
