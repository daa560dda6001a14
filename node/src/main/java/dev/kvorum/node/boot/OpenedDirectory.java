package dev.kvorum.node.boot;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.storage.DataDirectory;
import dev.kvorum.node.storage.LostDataException;
import dev.kvorum.node.storage.RocksStore;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.change.MemberReport;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data directory and the store in it.
 *
 * <p>A store that has lost something is set aside, and its member begins as an empty one: but only where another owner has all of its data, and none is being rebuilt. If
 * several members have lost data at a time, by one cause perhaps, a person has to decide: together their stores may still hold what none of them holds alone.
 */
record OpenedDirectory(DataDirectory directory, RocksStore store) {
    private static final Logger LOG = LoggerFactory.getLogger(OpenedDirectory.class);

    /**
     * Opens the store. Blocks; for some seconds more where it has lost something.
     *
     * @param others asks the other members, of which those count that answer
     * @param aside moves what the directory holds to where nobody uses it
     * @throws LostDataException if it has lost something, and is not to begin as an empty one
     */
    static OpenedDirectory open(
            DataDirectory found,
            Function<DataDirectory, RocksStore> open,
            ClusterView view,
            Supplier<List<MemberReport>> others,
            UnaryOperator<DataDirectory> aside) {
        try {
            return new OpenedDirectory(found, open.apply(found));
        } catch (LostDataException e) {
            requireOthers(e, view, others);
            LOG.error(
                    "This member has lost data: {}. It begins as an empty one: it takes writes, and serves no reads of a partition until that is"
                            + " rebuilt from the others. Check its disk",
                    e.getMessage());
            DataDirectory fresh = aside.apply(found);
            return new OpenedDirectory(fresh, open.apply(fresh));
        }
    }

    private static void requireOthers(LostDataException loss, ClusterView view, Supplier<List<MemberReport>> others) {
        boolean isOnlyCopy = view.topology().replicationFactor() == 1
                || hasNoOther(view.topology().currentOwners(), view.self())
                || hasNoOther(view.topology().nextOwners(), view.self());
        if (isOnlyCopy) {
            throw loss; // Its remedy is for that.
        }
        List<MemberReport> owners = others.get().stream()
                .filter(report -> view.topology().currentOwners().stream()
                        .anyMatch(owner -> owner.id().equals(report.member())))
                .toList();
        String rebuilding = owners.stream()
                .filter(report -> report.rebuilding() > 0)
                .map(MemberReport::member)
                .collect(Collectors.joining(", "));
        if (!rebuilding.isEmpty()) {
            throw loss.withRemedy(
                    "This member does not begin as an empty one, as " + rebuilding
                            + " lost data as well and is not rebuilt yet: together they may still hold what neither holds alone."
                            + " Wait until it is rebuilt. If that does not end, copy the data directories and restore a backup.");
        }
        if (owners.isEmpty()) {
            throw loss.withRemedy(
                    "This member begins as an empty one by itself once another member answers that has all of its data."
                            + " Start the others first. If all have lost data, copy the data directories and restore a backup.");
        }
    }

    private static boolean hasNoOther(List<Member> owners, String self) {
        return owners.stream().allMatch(owner -> owner.id().equals(self));
    }
}
