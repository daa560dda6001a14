package dev.kvorum.load.run;

import java.util.OptionalLong;

/**
 * A fault that befell, or a change of the members.
 *
 * @param beganMillis since the epoch
 * @param endedMillis since the epoch; {@link Long#MAX_VALUE} of what lasts to the end of the measurement
 * @param movedBytes  that nodes gave each other for it; empty unless the members changed for good
 */
record Befallen(long beganMillis, long endedMillis, OptionalLong movedBytes) {
    /** From now on. */
    static Befallen lasting() {
        return new Befallen(System.currentTimeMillis(), Long.MAX_VALUE, OptionalLong.empty());
    }
}
