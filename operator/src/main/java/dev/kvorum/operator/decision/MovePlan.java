package dev.kvorum.operator.decision;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.Placement;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangePlan;
import dev.kvorum.topology.change.MemberReport;
import dev.kvorum.topology.change.PartitionSizes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a change of the members moves.
 *
 * @param id names the plan: another change, or the same one at another epoch, has another
 * @param joining ids of members that join
 * @param leaving ids of members that leave
 * @param partitions copies of partitions that get to members that do not hold them
 * @param bytes of those copies; null where not all owners have said what they hold
 * @param gains bytes that each member gets, by its id; empty where {@code bytes} is null
 */
public record MovePlan(
        String id,
        List<String> joining,
        List<String> leaving,
        int partitions,
        @Nullable Long bytes,
        Map<String, Long> gains) {
    static MovePlan of(Topology begun, Map<String, PartitionSizes> sizes) {
        Placement current = Placement.current(begun);
        Placement next = Placement.next(begun);
        int moves = 0;
        boolean known = true;
        Map<String, Long> gains = new HashMap<>();
        for (int partition = 0; partition < begun.partitions(); partition++) {
            List<Member> before = current.owners(partition, begun.replicationFactor());
            OptionalLong size = size(before, sizes, partition);
            for (Member owner : next.owners(partition, begun.replicationFactor())) {
                if (before.stream().noneMatch(member -> member.id().equals(owner.id()))) {
                    moves++;
                    known = known && size.isPresent();
                    gains.merge(owner.id(), size.orElse(0), Long::sum);
                }
            }
        }
        List<String> joining = only(begun.nextOwners(), begun.currentOwners());
        List<String> leaving = only(begun.currentOwners(), begun.nextOwners());
        String id = begun.epoch() + "-" + Integer.toHexString((joining + " " + leaving).hashCode());
        return new MovePlan(
                id,
                joining,
                leaving,
                moves,
                known ? gains.values().stream().mapToLong(Long::longValue).sum() : null,
                known ? Map.copyOf(gains) : Map.of());
    }

    /** The largest that any owner says: one that is behind holds less. */
    private static OptionalLong size(List<Member> owners, Map<String, PartitionSizes> sizes, int partition) {
        return owners.stream()
                .flatMap(owner -> Optional.ofNullable(sizes.get(owner.id())).stream())
                .mapToLong(size -> size.of(partition))
                .max();
    }

    private static List<String> only(List<Member> these, List<Member> others) {
        List<String> known = others.stream().map(Member::id).toList();
        return these.stream()
                .map(Member::id)
                .filter(id -> !known.contains(id))
                .sorted()
                .toList();
    }

    /** How long it takes where each pulls its share at its limit; null where that is not known. */
    public @Nullable Long seconds(Map<String, MemberReport> reports) {
        long limit = reports.values().stream()
                .mapToLong(report -> report.transfer().bytesPerSecondMax())
                .filter(rate -> rate > 0)
                .min()
                .orElse(0);
        long most = gains.values().stream().mapToLong(Long::longValue).max().orElse(0);
        return bytes == null || limit == 0 ? null : Math.ceilDiv(most, limit);
    }

    /** Why there is no room for it, in words; empty if there is, or nobody knows. */
    Optional<String> shortage(Map<String, MemberReport> reports) {
        for (String member : gains.keySet().stream().sorted().toList()) {
            MemberReport report = reports.get(member);
            long gain = gains.getOrDefault(member, 0L);
            if (report != null && gain > 0 && report.disk().free() < ChangePlan.Move.bytesNeeded(gain)) {
                return Optional.of(member + " would get " + gain
                        + " bytes and needs " + ChangePlan.Move.bytesNeeded(gain)
                        + " for them and what clients write meanwhile, but its disk has "
                        + report.disk().free() + " free: raise spec.storage.size first");
            }
        }
        return Optional.empty();
    }

    /** For people: what it moves, as far as that is known. */
    String inWords() {
        String size = bytes == null ? "" : ", " + bytes + " bytes";
        return (joining.isEmpty() ? "" : "joining: " + String.join(", ", joining) + "; ")
                + (leaving.isEmpty() ? "" : "leaving: " + String.join(", ", leaving) + "; ")
                + "copies of partitions to be moved: " + partitions + size;
    }
}
