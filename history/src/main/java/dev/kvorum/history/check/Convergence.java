package dev.kvorum.history.check;

import dev.kvorum.history.Copy;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.Consumer;

/** Replicas that differ though faults are over and repair had its time: all owners must hold the newest cell there is. */
final class Convergence {
    private Convergence() {}

    static void check(KeyHistory key, boolean tombstonesGo, Consumer<Anomaly> found) {
        Copy newest = key.copies().stream()
                .max(Comparator.comparing(copy -> KeyHistory.orBelowAll(copy.version())))
                .orElse(null);
        if (newest == null || newest.version() == null) {
            return;
        }
        boolean mayBeGone = tombstonesGo && newest.value() == null;
        key.copies().stream()
                .filter(Copy::owner)
                .filter(copy -> !holdsTheSame(copy, newest))
                .filter(copy -> !(mayBeGone && copy.version() == null))
                .forEach(copy -> found.accept(new Anomaly(
                        Anomaly.Kind.DIVERGED_COPIES, key.key(), copy.inWords() + ", but " + newest.inWords())));
    }

    private static boolean holdsTheSame(Copy one, Copy other) {
        return Objects.equals(one.version(), other.version()) && Objects.equals(one.value(), other.value());
    }
}
