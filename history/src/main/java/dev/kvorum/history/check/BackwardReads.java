package dev.kvorum.history.check;

import dev.kvorum.history.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** Reads that missed what an earlier read had found: promised where a read mends the replicas before it answers. */
final class BackwardReads {
    private BackwardReads() {}

    static void check(KeyHistory key, Losses losses, boolean tombstonesGo, Consumer<Anomaly> found) {
        Frontier mended = new Frontier(losses);
        List<Operation> earlier = key.reads(Comparator.comparingLong(Operation::returned));
        int next = 0;
        for (Operation read : key.reads(Comparator.comparingLong(Operation::invoked))) {
            while (next < earlier.size() && earlier.get(next).precedes(read)) {
                mended.add(earlier.get(next));
                next++;
            }
            Operation missed = mended.newestFor(read);
            if (missed != null && StaleReads.isOlder(key, read, missed, tombstonesGo)) {
                found.accept(new Anomaly(
                        Anomaly.Kind.BACKWARD_READ, key.key(), read.inWords() + " missed what " + missed.inWords()));
            }
        }
    }
}
