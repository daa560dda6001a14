package dev.kvorum.load.chaos.fault;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What became of the planned faults of each kind. Any thread. */
public final class FaultTally {
    private final Map<FaultKind, Counts> counts = new EnumMap<>(FaultKind.class);

    /**
     * Of one kind.
     *
     * @param befell  nodes, and had an effect
     * @param vain befell nodes, and nothing came of it
     * @param skipped never began
     */
    private record Counts(int befell, int vain, int skipped) {
        static final Counts NONE = new Counts(0, 0, 0);

        Counts plus(Counts other) {
            return new Counts(befell + other.befell, vain + other.vain, skipped + other.skipped);
        }

        int planned() {
            return befell + vain + skipped;
        }
    }

    /** A fault is over. */
    void ended(FaultKind kind, boolean hadEffect) {
        add(kind, hadEffect ? new Counts(1, 0, 0) : new Counts(0, 1, 0));
    }

    /** A fault found no moment to begin. */
    void skipped(FaultKind kind) {
        add(kind, new Counts(0, 0, 1));
    }

    private synchronized void add(FaultKind kind, Counts more) {
        counts.merge(kind, more, Counts::plus);
    }

    private synchronized Counts of(FaultKind kind) {
        return counts.getOrDefault(kind, Counts.NONE);
    }

    /** A complaint about each of these kinds that had no effect all the time. */
    public List<String> lacking(Collection<FaultKind> named) {
        return named.stream()
                .filter(kind -> of(kind).befell() == 0)
                .map(kind -> kind + " was asked for, but never had an effect: of " + of(kind).planned()
                        + " planned faults " + of(kind).skipped() + " were skipped. Let the run last longer")
                .toList();
    }

    /** For people: the sum, and a line for each kind that was planned. */
    public synchronized String inWords() {
        Counts all = counts.values().stream().reduce(Counts.NONE, Counts::plus);
        StringBuilder words = new StringBuilder(String.format(
                Locale.ROOT,
                "  faults: %d of %d befell, %d had no effect, %d were skipped%n",
                all.befell(),
                all.planned(),
                all.vain(),
                all.skipped()));
        counts.forEach((kind, of) -> words.append(String.format(
                Locale.ROOT,
                "    %-18s %3d befell, %2d without effect, %2d skipped%n",
                kind,
                of.befell(),
                of.vain(),
                of.skipped())));
        return words.toString();
    }
}
