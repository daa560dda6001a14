package dev.kvorum.history.check;

import dev.kvorum.history.Copy;
import dev.kvorum.history.Operation;
import java.util.function.Consumer;

/** Acknowledged writes of which fewer copies are left than acknowledged them, apart from the disks that were lost since. */
final class LostWrites {
    private LostWrites() {}

    static void check(KeyHistory key, Losses losses, boolean tombstonesGo, Consumer<Anomaly> found) {
        if (key.copies().isEmpty()) {
            return; // Nobody looked; the reads have to show it.
        }
        for (Operation write : key.acknowledged()) {
            String version = KeyHistory.versionOf(write);
            int expected = losses.ackLeft(write);
            long held = key.copies().stream()
                    .filter(copy -> KeyHistory.orBelowAll(copy.version()).compareTo(version) >= 0)
                    .count();
            boolean isGone = tombstonesGo && key.mayBeDeleted(write, Long.MAX_VALUE);
            if (held < expected && !isGone) {
                found.accept(anomaly(key, write, held, expected));
            }
        }
    }

    private static Anomaly anomaly(KeyHistory key, Operation write, long held, int expected) {
        String copies =
                String.join("; ", key.copies().stream().map(Copy::inWords).toList());
        return new Anomaly(
                Anomaly.Kind.LOST_WRITE,
                key.key(),
                write.inWords() + " is left on " + held + " disks, not on " + expected + " or more: " + copies);
    }
}
