package dev.kvorum.simulation.verdict;

import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is to be run.
 *
 * @param without the places of those of its faults, from 0, that are left out
 * @param reader of each line of the trace; null where nobody reads, which is much faster
 */
public record Run(long seed, Set<Integer> without, @Nullable Consumer<String> reader) {
    public static Run of(long seed) {
        return new Run(seed, Set.of(), null);
    }

    public static Run told(long seed, Consumer<String> reader) {
        return new Run(seed, Set.of(), reader);
    }

    Run leavingOut(Set<Integer> faults) {
        return new Run(seed, faults, reader);
    }
}
