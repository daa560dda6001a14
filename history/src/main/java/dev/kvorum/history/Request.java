package dev.kvorum.history;

import org.jspecify.annotations.Nullable;

/**
 * What a client asked for.
 *
 * @param value what a write writes, different from that of every other write of the history; null for reads and deletes
 * @param ack how many replicas must answer, by the client's own reckoning: not as the node says
 * @param from out of how many, the first owners of the key
 * @param expected the version that the key must have for a write to be done, or {@link #ABSENT}; null where it is done whatever there is
 */
public record Request(
        Kind kind,
        Mode mode,
        String key,
        @Nullable String value,
        int ack,
        int from,
        @Nullable String expected) {
    /** Instead of a version: that there is no value. */
    public static final String ABSENT = "absent";

    public Request(Kind kind, Mode mode, String key, @Nullable String value, int ack, int from) {
        this(kind, mode, key, value, ack, from, null);
    }

    /** What is done. */
    public enum Kind {
        READ,
        WRITE,
        DELETE
    }

    /** What is promised. */
    public enum Mode {
        /** Quorums that overlap show acknowledged writes; clocks order the writes. */
        QUORUM,
        /** As if there were one copy, and one operation at a time on it. */
        LINEARIZABLE
    }

    public Request {
        if ((kind == Kind.WRITE) != (value != null)) {
            throw new IllegalArgumentException("a value belongs to a write, and to nothing else");
        }
        if (ack < 1 || ack > from) {
            throw new IllegalArgumentException("ack " + ack + " is not from 1 to from " + from);
        }
    }

    public boolean isRead() {
        return kind == Kind.READ;
    }

    /** Whether it is a quorum operation that any replica it asks may have seen together with one of such a quorum. */
    public boolean overlaps(int otherAck, int otherFrom) {
        return ack + otherAck > Math.max(from, otherFrom);
    }
}
