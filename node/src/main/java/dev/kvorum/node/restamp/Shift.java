package dev.kvorum.node.restamp;

import dev.kvorum.node.cell.Version;

/**
 * Moves all versions from a time on back by the same length of time, so that the first of them comes to another time. Where that is above all versions before, the order of all versions
 * stays what it was.
 *
 * @param fromMillis versions from then on are moved, in milliseconds since 1970
 * @param toMillis where a version of that very time comes to, in the same
 */
record Shift(long fromMillis, long toMillis) {
    boolean moves(Version version) {
        return version.millis() >= fromMillis;
    }

    Version of(Version version) {
        return moves(version) ? new Version(of(version.hybridTime()), version.author()) : version;
    }

    /** The same of a hybrid time. */
    long of(long hybridTime) {
        long back = (fromMillis - toMillis) << Version.COUNTER_BITS;
        return hybridTime >>> Version.COUNTER_BITS >= fromMillis ? hybridTime - back : hybridTime;
    }
}
