package dev.kvorum.history.check;

import dev.kvorum.history.Copy;
import java.util.Comparator;
import java.util.function.Consumer;

/**
 * The newest cell of a key on a node that is none of the owners it asked for: what was written with 1/1 stays on one node, whatever is
 * repaired. Older cells may be there, from writes that asked for more.
 */
final class MisplacedCopies {
    private MisplacedCopies() {}

    static void check(KeyHistory key, Consumer<Anomaly> found) {
        String newest = key.copies().stream()
                .map(copy -> KeyHistory.orBelowAll(copy.version()))
                .max(Comparator.naturalOrder())
                .orElse("");
        key.copies().stream()
                .filter(copy -> !copy.owner()
                        && copy.version() != null
                        && copy.version().equals(newest))
                .forEach(copy -> found.accept(anomaly(key, copy)));
    }

    private static Anomaly anomaly(KeyHistory key, Copy copy) {
        return new Anomaly(
                Anomaly.Kind.MISPLACED_COPY, key.key(), copy.inWords() + ", but is not among the owners it asks for");
    }
}
