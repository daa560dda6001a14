package dev.kvorum.history;

import org.jspecify.annotations.Nullable;

/**
 * What became of a request, as far as its client knows.
 *
 * @param value what a read found; null where it found none, and for all others
 * @param version 32 hexadecimal digits: of what was read, or of the write; for a read that found none the version of the deletion if that is
 *     known; of the value that a refused write met; null otherwise
 */
public record Answer(
        Outcome outcome, @Nullable String value, @Nullable String version) {
    /** How certain its client can be. */
    public enum Outcome {
        /** Done, and confirmed. */
        OK,
        /** Not done, and never will be. */
        FAILED,
        /** As that, because its condition did not hold for what there was. */
        REFUSED,
        /** Nobody told. It may have been done, it may still be, or never. */
        UNKNOWN
    }

    private static final int VERSION_DIGITS = 32;

    public Answer {
        if (version != null && version.length() != VERSION_DIGITS) {
            throw new IllegalArgumentException("version " + version + " has not " + VERSION_DIGITS + " digits");
        }
    }

    public static Answer failed() {
        return new Answer(Outcome.FAILED, null, null);
    }

    /** @param version of the value that was there; null if there was none */
    public static Answer refused(@Nullable String version) {
        return new Answer(Outcome.REFUSED, null, version);
    }

    public static Answer unknown() {
        return new Answer(Outcome.UNKNOWN, null, null);
    }

    public boolean isRefused() {
        return outcome == Outcome.REFUSED;
    }

    public boolean isOk() {
        return outcome == Outcome.OK;
    }
}
