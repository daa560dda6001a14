package dev.kvorum.history.check;

import dev.kvorum.history.Operation;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads that missed what an earlier read had found: promised where a read mends the replicas before it answers. A key has no more copies than
 * its write asked for: what a read asks beyond them answers, but is not mended, so that so many fewer hold what it found.
 */
final class BackwardReads {
    private final Map<String, Integer> copiesByValue = new HashMap<>();
    private final Map<String, Integer> copiesByVersion = new HashMap<>();

    private BackwardReads(KeyHistory key) {
        for (Operation operation : key.operations()) {
            String version = operation.answer().version();
            String value = operation.value();
            if (!operation.request().isRead()) {
                put(copiesByValue, value, operation);
                put(copiesByVersion, version, operation);
            }
        }
    }

    private static void put(Map<String, Integer> copies, @Nullable String name, Operation write) {
        if (name != null) {
            copies.put(name, write.request().from());
        }
    }

    static void check(KeyHistory key, Losses losses, boolean tombstonesGo, Consumer<Anomaly> found) {
        BackwardReads reads = new BackwardReads(key);
        Frontier mended = new Frontier(losses);
        List<Operation> earlier = key.reads(Comparator.comparingLong(Operation::returned));
        int next = 0;
        for (Operation read : key.reads(Comparator.comparingLong(Operation::invoked))) {
            while (next < earlier.size() && earlier.get(next).precedes(read)) {
                reads.add(earlier.get(next), mended);
                next++;
            }
            Operation missed = mended.newestFor(read);
            if (missed != null && StaleReads.isOlder(key, read, missed, tombstonesGo)) {
                found.accept(new Anomaly(
                        Anomaly.Kind.BACKWARD_READ, key.key(), read.inWords() + " missed what " + missed.inWords()));
            }
        }
    }

    private void add(Operation read, Frontier mended) {
        Integer copies = read.value() != null
                ? copiesByValue.get(read.value())
                : copiesByVersion.get(KeyHistory.versionOf(read));
        if (copies != null) { // Else a deletion of unknown fate, which may have asked for any number.
            int from = read.request().from();
            mended.add(read, Math.max(0, from - copies), Math.min(from, copies));
        }
    }
}
