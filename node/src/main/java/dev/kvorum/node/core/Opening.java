package dev.kvorum.node.core;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.storage.LostDataException;
import dev.kvorum.node.storage.MemberDirectory;
import dev.kvorum.node.verification.Progress;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.change.MemberReport;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a member uses the store that it finds, begins as an empty one, or does not start.
 *
 * <p>A store that has lost something is set aside, and its member begins as an empty one: but only where another owner has all of its data, and none is being rebuilt. If
 * several members have lost data at a time, by one cause perhaps, a person has to decide: together their stores may still hold what none of them holds alone.
 *
 * @param view by which the member starts
 * @param remembered how far other members remember it to have come
 * @param witnesses the other members, of which those count that answer
 */
record Opening(ClusterView view, Progress remembered, Witnesses witnesses) {
    private static final Logger LOG = LoggerFactory.getLogger(Opening.class);

    /** As {@link Arrival#open}. */
    <D extends MemberDirectory, S> Opened<D, S> open(D found, DataGround<D, S> ground, ToLongFunction<D> times) {
        try {
            requireNewest(found);
            D directory = mayLackItsEnd(found) ? ground.becomeIncomplete(found, times.applyAsLong(found)) : found;
            return new Opened<>(directory, ground.open(directory, remembered.written()));
        } catch (LostDataException e) {
            requireOthers(e);
            LOG.error(
                    "This member has lost data: {}. It begins as an empty one: it takes writes, and serves no reads of a partition until that is"
                            + " rebuilt from the others. Check its disk",
                    e.getMessage());
            D fresh = ground.setAside(found, times.applyAsLong(found));
            return new Opened<>(fresh, ground.open(fresh, 0));
        }
    }

    /** This start was told to nobody yet: those that remember its number have met another one. */
    private void requireNewest(MemberDirectory found) {
        if (remembered.equals(Progress.replaced(found.incarnation()))) {
            throw new LostDataException("the data directory " + found.place()
                    + " is an older one: other members remember that this member has had another one since");
        }
        if (remembered.start() >= found.start()) {
            throw new LostDataException("the data directory " + found.place() + " is an older copy: this is start "
                    + found.start() + " on it, and other members remember start " + remembered.start());
        }
    }

    /** Whether the last writes may be missing, by a power cut. With the only copy there is nothing to compare it with. */
    private boolean mayLackItsEnd(MemberDirectory found) {
        if (!found.wasCutOff()) {
            return false;
        }
        String what =
                "The machine has stopped without notice while this member ran with kvorum.storage.durability=async. The last writes"
                        + " that it has acknowledged may be missing";
        if (view.isOnlyCopy()) {
            LOG.warn("{}. There is no other copy to compare with: it goes on with what it holds", what);
            return false;
        }
        LOG.warn(
                "{}. It serves no reads of a partition until they are copied from the logs of the other members, or all is compared with them. Start all"
                        + " members",
                what);
        return true;
    }

    private void requireOthers(LostDataException loss) {
        if (view.isOnlyCopy()) {
            throw loss; // Its remedy is for that.
        }
        List<MemberReport> owners = witnesses.reports(view).stream()
                .filter(report -> view.topology().currentOwners().stream()
                        .anyMatch(owner -> owner.id().equals(report.member())))
                .toList();
        String rebuilding = owners.stream()
                .filter(this::hasLostAll)
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
    private boolean hasLostAll(MemberReport report) {
        boolean isKnown = view.topology()
                .member(report.member())
                .flatMap(Member::knownIncarnation)
                .filter(report.incarnation()::equals)
                .isPresent();
        return report.rebuilding() > 0 && !isKnown;
    }
}
