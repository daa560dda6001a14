package dev.kvorum.history.check;

import dev.kvorum.history.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Acknowledged writes that an earlier one hides: it was acknowledged before they began, and has the newer version. No read shows them then. Real time decides which is
 * the earlier, not the clocks that versions come from.
 *
 * <p>Promised where the quorums of both overlap, as a replica of both knows the earlier version when the later write begins.
 */
final class HiddenWrites {
    private HiddenWrites() {}

    static void check(KeyHistory key, Losses losses, Consumer<Anomaly> found) {
        Frontier acknowledged = new Frontier(losses);
        List<Operation> inOrderOfEnd = key.acknowledged();
        List<Operation> inOrderOfBeginning = inOrderOfEnd.stream()
                .sorted(Comparator.comparingLong(Operation::invoked))
                .toList();
        int next = 0;
        for (Operation write : inOrderOfBeginning) {
            while (next < inOrderOfEnd.size() && inOrderOfEnd.get(next).precedes(write)) {
                acknowledged.add(inOrderOfEnd.get(next));
                next++;
            }
            Operation before = acknowledged.newestFor(write);
            if (before != null && KeyHistory.versionOf(write).compareTo(KeyHistory.versionOf(before)) <= 0) {
                found.accept(new Anomaly(
                        Anomaly.Kind.HIDDEN_WRITE,
                        key.key(),
                        write.inWords() + " is hidden by " + before.inWords() + ", which had ended before"));
            }
        }
    }
}
