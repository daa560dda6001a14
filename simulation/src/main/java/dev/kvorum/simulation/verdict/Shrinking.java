package dev.kvorum.simulation.verdict;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Leaves out faults of a run that is not good, as long as it breaks what it broke before: what is left is to be understood by a person. First
 * many at a time, then fewer.
 *
 * <p>Source: Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input" (2002), without going back to greater parts.
 */
public final class Shrinking {
    private final Subject subject;

    public Shrinking(Subject subject) {
        this.subject = subject;
    }

    /** The verdict on the same seed with as few faults as could be found: that itself if none can go. */
    public Verdict shrink(Verdict broken) {
        Run run = Run.of(broken.seed());
        Set<Integer> without = new HashSet<>();
        Verdict smallest = broken;
        for (int size = Math.max(1, broken.faults().planned() / 2); ; size /= 2) {
            for (List<Integer> part : parts(broken.faults().planned(), size, without)) {
                Set<Integer> fewer = new HashSet<>(without);
                fewer.addAll(part);
                Verdict verdict = subject.run(run.leavingOut(fewer));
                if (verdict.inShort().equals(broken.inShort())) {
                    without = fewer;
                    smallest = verdict;
                }
            }
            if (size <= 1) {
                return smallest;
            }
        }
    }

    private static List<List<Integer>> parts(int planned, int size, Set<Integer> without) {
        List<Integer> left = IntStream.range(0, planned)
                .filter(place -> !without.contains(place))
                .boxed()
                .toList();
        return IntStream.iterate(0, from -> from < left.size(), from -> from + size)
                .mapToObj(from -> left.subList(from, Math.min(from + size, left.size())))
                .toList();
    }
}
