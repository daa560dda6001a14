package dev.kvorum.history.check;

import dev.kvorum.history.Operation;
import dev.kvorum.history.Request.Kind;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads that missed a write which was acknowledged before they began.
 *
 * <p>With {@code R}, {@code W} the {@code ack} of both and {@code N} the greater {@code from}: the write left at least {@code W - (from - n)}
 * copies on the first {@code n} owners, {@code n} being the smaller {@code from}, and the read asked as many but {@code R}; both met while
 * {@code R + W > N}.
 */
final class StaleReads {
    private StaleReads() {}

    static void check(KeyHistory key, Losses losses, boolean tombstonesGo, Consumer<Anomaly> found) {
        Frontier acknowledged = new Frontier(losses);
        List<Operation> writes = key.acknowledged();
        int next = 0;
        for (Operation read : key.reads(Comparator.comparingLong(Operation::invoked))) {
            while (next < writes.size() && writes.get(next).precedes(read)) {
                acknowledged.add(writes.get(next));
                next++;
            }
            Operation missed = acknowledged.newestFor(read);
            if (missed != null && isOlder(key, read, missed, tombstonesGo)) {
                found.accept(anomaly(key, read, missed));
            }
        }
    }

    /** Whether the read has found less than what it must have met. */
    static boolean isOlder(KeyHistory key, Operation read, Operation met, boolean tombstonesGo) {
        String version = KeyHistory.versionOf(met);
        if (KeyHistory.versionOf(read).compareTo(version) >= 0) {
            return false;
        }
        boolean foundNothing = read.answer().version() == null;
        return !(tombstonesGo && foundNothing && key.mayBeDeleted(met, read.returned()));
    }

    private static Anomaly anomaly(KeyHistory key, Operation read, Operation missed) {
        boolean wasDeleted = missed.request().kind() == Kind.DELETE && read.value() != null;
        return new Anomaly(
                wasDeleted ? Anomaly.Kind.DELETED_VALUE_BACK : Anomaly.Kind.STALE_READ,
                key.key(),
                read.inWords() + " missed " + missed.inWords());
    }
}
