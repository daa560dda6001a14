package dev.kvorum.history.check;

import dev.kvorum.history.Copy;
import java.util.Comparator;
import java.util.function.Consumer;

/**
 * The newest cell of a key on a node that is none of the owners it asked for: what was written with 1/1 stays on one node, whatever is
 * repaired. Older cells may be there, from writes that asked for more; so keys with such writes are left out, as those who hold an older cell learn
 * of the newer. And so is a copy that {@linkplain Copy#mayStay() may stay} where it belonged before the members changed.
 */
final class MisplacedCopies {
    private MisplacedCopies() {}

    static void check(KeyHistory key, Consumer<Anomaly> found) {
        if (!asksForMost(key)) {
            return;
        }
        String newest = key.copies().stream()
                .map(copy -> KeyHistory.orBelowAll(copy.version()))
                .max(Comparator.naturalOrder())
                .orElse("");
        key.copies().stream()
                .filter(copy -> !copy.owner()
                        && !copy.mayStay()
                        && copy.version() != null
                        && copy.version().equals(newest))
                .forEach(copy -> found.accept(anomaly(key, copy)));
    }

    /** Whether all writes asked for as many copies. */
    private static boolean asksForMost(KeyHistory key) {
        return key.operations().stream()
                        .filter(operation -> !operation.request().isRead())
                        .map(operation -> operation.request().from())
                        .distinct()
                        .count()
                <= 1;
    }

    private static Anomaly anomaly(KeyHistory key, Copy copy) {
        return new Anomaly(
                Anomaly.Kind.MISPLACED_COPY, key.key(), copy.inWords() + ", but is not among the owners it asks for");
    }
}
