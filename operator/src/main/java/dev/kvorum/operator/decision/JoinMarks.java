package dev.kvorum.operator.decision;

import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.decision.Observed.VolumeState;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Nodes whose volumes were marked for a change that has not begun. A volume is marked with the epoch that is to begin the change, which is the one after that which was
 * looked at; so the mark and the present topology tell how far it came:
 *
 * <pre>
 * mark                                  what it means
 * the epoch after the present one       ahead: the change may begin at any instant, by an operator that has looked at the present epoch
 * the present epoch, which names it     it is a member
 * the present epoch, which does not     missed: it never became a member, and can't by this mark
 * an earlier epoch, and no member       it may have been one: the volume is never used again
 * </pre>
 *
 * <p>Why one that was missed can't become a member: a topology is published in the place of the one that was looked at ({@code ActionExecutor.publish}), so there is one topology of
 * each epoch, and who has looked at an earlier one publishes nothing any more. Who looks at the present one begins no change with a volume that is marked with it or
 * before, and marks none whose resource version is another by now. So where a change that was taken back is ahead, an epoch that changes nothing is published; whichever of the two
 * comes first, the other comes too late.
 *
 * <p>The mark of one that was missed stays until its pod has gone: until then it keeps others from beginning a change with a node that is about to be ended.
 */
final class JoinMarks {
    private final Observed observed;
    private final Topology present;

    JoinMarks(Observed observed, Topology present) {
        this.observed = observed;
        this.present = present;
    }

    /** Ids of those that are ahead and that nobody asks for any more: these members are asked for. */
    List<String> abandoned(List<Member> target) {
        // Beside one that was missed those that are asked for have to begin anew as well: sets shrink from their ends.
        boolean anew = !missed().isEmpty();
        return ids(volume -> volume.isMarkedFor(present.epoch() + 1)).stream()
                .filter(id ->
                        anew || target.stream().noneMatch(member -> member.id().equals(id)))
                .toList();
    }

    /** Ids of those that were missed. */
    List<String> missed() {
        return ids(this::isMissed);
    }

    /** Whether this volume, of a node that is no member, is of one that was missed. */
    boolean isMissed(VolumeState volume) {
        return volume.isMarkedFor(present.epoch());
    }

    /** Whether it has no pod, and its StatefulSet makes none. */
    boolean hasGone(String id) {
        boolean made = observed.name()
                .zoneOf(id, observed.sets().keySet())
                .map(zone -> observed.sets().get(zone))
                .filter(set -> set.replicas() > ClusterName.ordinal(id))
                .isPresent();
        return !made && !observed.pods().containsKey(id);
    }

    private List<String> ids(Predicate<VolumeState> marked) {
        return observed.volumes().entrySet().stream()
                .filter(volume -> marked.test(volume.getValue())
                        && present.member(volume.getKey()).isEmpty())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }
}
