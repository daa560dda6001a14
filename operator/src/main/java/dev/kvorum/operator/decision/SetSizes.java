package dev.kvorum.operator.decision;

import dev.kvorum.operator.cluster.ClusterName;
import dev.kvorum.operator.decision.Observed.SetState;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * How many pods each StatefulSet has: all members, those that are to start, and former ones until their volumes are marked. A StatefulSet removes the highest
 * ordinals first, and so does {@link dev.kvorum.operator.cluster.Seat#of}.
 */
final class SetSizes {
    private SetSizes() {}

    /** By zone; 0 where a zone is not needed any more. */
    static Map<String, Integer> of(Observed observed, Topology topology, List<Member> starting, Volumes volumes) {
        Map<String, Integer> sizes = new TreeMap<>();
        observed.sets().keySet().forEach(zone -> sizes.put(zone, 0));
        // One that was missed begins anew, without its pod: sets shrink from their ends.
        boolean anew = !new JoinMarks(observed, topology).missed().isEmpty();
        Stream<Member> wanted = MembershipDecision.target(observed).stream()
                .filter(member -> !anew)
                .filter(member -> isAskedFor(observed, member)
                        && topology.member(member.id()).isEmpty())
                .filter(member -> observed.volume(member)
                        .map(volume -> volume.removed() == null)
                        .orElse(true));
        Stream.of(topology.members().stream(), starting.stream(), wanted)
                .flatMap(members -> members)
                .forEach(member -> sizes.merge(member.zone(), ClusterName.ordinal(member.id()) + 1, Math::max));
        sizes.replaceAll((zone, size) -> {
            SetState set = observed.sets().get(zone);
            return set != null && size < set.replicas() && !volumes.mayShrink(zone, set, size) ? set.replicas() : size;
        });
        return Map.copyOf(sizes);
    }

    /** Whether its pod is there or about to be: what keeps a change waiting for a moment is no reason to take that back. */
    private static boolean isAskedFor(Observed observed, Member member) {
        SetState set = observed.sets().get(member.zone());
        return observed.pods().containsKey(member.id())
                || (set != null && set.replicas() > ClusterName.ordinal(member.id()));
    }
}
