package dev.kvorum.history.check;

import java.util.Locale;

/**
 * A promise that was broken.
 *
 * @param key on which; empty where it is on no single one
 * @param words what happened, for people
 */
public record Anomaly(Kind kind, String key, String words) {
    /** Which promise. */
    public enum Kind {
        /** An acknowledged write is gone, or on fewer disks than acknowledged it. */
        LOST_WRITE,
        /** A read missed a write that had been acknowledged before it began. */
        STALE_READ,
        /** A read found a value whose deletion had been acknowledged before it began. */
        DELETED_VALUE_BACK,
        /** An acknowledged write has a version below that of one which was acknowledged before it began. */
        HIDDEN_WRITE,
        /** A read missed what an earlier read had found. */
        BACKWARD_READ,
        /** A read found what nobody had written. */
        UNWRITTEN_VALUE,
        /** A node issued a version twice, or below one that it had seen. */
        VERSION_ORDER,
        /** A linearizable operation missed one that had ended before it began. */
        NOT_LINEARIZABLE,
        /** A write with a condition was done though another came between. */
        LOST_UPDATE,
        /** A node holds a key that it is not to have. */
        MISPLACED_COPY,
        /** Replicas differ though faults are over and repair had its time. */
        DIVERGED_COPIES;

        /** As words. */
        public String inWords() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    @Override
    public String toString() {
        return kind.inWords() + (key.isEmpty() ? "" : " of key " + key) + ": " + words;
    }
}
