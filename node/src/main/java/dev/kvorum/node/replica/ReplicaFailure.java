package dev.kvorum.node.replica;

/**
 * A replica that did not do what it was asked for.
 *
 * @param detail for a person, in a few words
 */
public record ReplicaFailure(String member, Reason reason, String detail) implements WriteReply, ReadReply, CallReply {
    /** Why a replica failed. */
    public enum Reason {
        /** No connection, or it broke: a write may have arrived nevertheless. */
        UNREACHABLE,
        /** No answer in time: a write may have arrived nevertheless. */
        TIMED_OUT,
        /** Too much is waiting there or on the way there; nothing was done. */
        OVERLOADED,
        /** It understood the call and refused it: another cluster, or a clock too far ahead; nothing was done. */
        REFUSED,
        /**
         * It goes by a newer topology than the request: nothing was read, and what was written, if it was, does not count as the older one's. What the request goes by has been
         * renewed where that was possible.
         */
        STALE,
        /** It goes by an older topology than the request, and could not be brought to the newer one; nothing was done. */
        BEHIND,
        /** Its disk or its program failed. */
        BROKEN
    }
}
