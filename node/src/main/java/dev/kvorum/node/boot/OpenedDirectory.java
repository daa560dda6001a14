package dev.kvorum.node.boot;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.storage.directory.DataDirectory;
import dev.kvorum.node.storage.directory.LostDataException;
import dev.kvorum.node.storage.rocks.RocksStore;
import dev.kvorum.node.verification.Progress;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.change.MemberReport;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
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

    /** Opens the store in a directory. */
    @FunctionalInterface
    interface Opening {
        /**
         * @param remembered how many changes are in it at least, as other members remember
         * @throws LostDataException if it has lost something
         */
        RocksStore open(DataDirectory directory, long remembered);
    }

    /**
     * Opens the store. Blocks; for some seconds more where it has lost something.
     *
     * @param remembered how far other members remember it to have come
     * @param others asks the other members, of which those count that answer
     * @param times a time after all that was acknowledged in a directory, in milliseconds since 1970
     * @param aside moves what the directory holds to where nobody uses it
     * @throws LostDataException if it has lost something, and is not to begin as an empty one
     */
    static OpenedDirectory open(
            DataDirectory found,
            Opening opening,
            ClusterView view,
            Progress remembered,
            Supplier<List<MemberReport>> others,
            ToLongFunction<DataDirectory> times,
            UnaryOperator<DataDirectory> aside) {
        try {
            requireNewest(found, remembered);
            return new OpenedDirectory(afterPowerCut(found, view, times), opening.open(found, remembered.written()));
        } catch (LostDataException e) {
            requireOthers(e, view, others);
            LOG.error(
                    "This member has lost data: {}. It begins as an empty one: it takes writes, and serves no reads of a partition until that is"
                            + " rebuilt from the others. Check its disk",
                    e.getMessage());
            DataDirectory fresh = aside.apply(found);
            return new OpenedDirectory(fresh, opening.open(fresh, 0));
        }
    }

    /** This start was told to nobody yet: those that remember its number have met another one. */
    private static void requireNewest(DataDirectory found, Progress remembered) {
        if (remembered.equals(Progress.replaced(found.incarnation()))) {
            throw new LostDataException("the data directory " + found.path()
                    + " is an older one: other members remember that this member has had another one since");
        }
        if (remembered.start() >= found.start()) {
            throw new LostDataException("the data directory " + found.path() + " is an older copy: this is start "
                    + found.start() + " on it, and other members remember start " + remembered.start());
        }
    }

    /** Where the last writes may be missing, the directory counts as incomplete. With the only copy there is nothing to compare it with. */
    private static DataDirectory afterPowerCut(
            DataDirectory found, ClusterView view, ToLongFunction<DataDirectory> times) {
        if (!found.wasCutOff()) {
            return found;
        }
        String what =
                "The machine has stopped without notice while this member ran with kvorum.storage.durability=async. The last writes"
                        + " that it has acknowledged may be missing";
        if (view.isOnlyCopy()) {
            LOG.warn("{}. There is no other copy to compare with: it goes on with what it holds", what);
            return found;
        }
        LOG.warn(
                "{}. It takes writes, and serves no reads of a partition until that is compared with all other members: start them as well",
                what);
        return found.becomeIncomplete(times.applyAsLong(found));
    }

    private static void requireOthers(LostDataException loss, ClusterView view, Supplier<List<MemberReport>> others) {
        if (view.isOnlyCopy()) {
            throw loss; // Its remedy is for that.
        }
        List<MemberReport> owners = others.get().stream()
                .filter(report -> view.topology().currentOwners().stream()
                        .anyMatch(owner -> owner.id().equals(report.member())))
                .toList();
        String rebuilding = owners.stream()
                .filter(report -> hasLostAll(view, report))
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

    /** One that rebuilds what a power cut took still has the directory that the topology knows: it waits for this member, and must not be waited for. */
    private static boolean hasLostAll(ClusterView view, MemberReport report) {
        boolean isKnown = view.topology()
                .member(report.member())
                .flatMap(Member::knownIncarnation)
                .filter(report.incarnation()::equals)
                .isPresent();
        return report.rebuilding() > 0 && !isKnown;
    }
}
