package dev.kvorum.topology.change;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.Placement;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Partitions of which no majority can be written while some members do not answer. During a change a write needs one of the owners before and one of those after
 * it, so a member that is down may cost more than at other times.
 *
 * @param because ids of the members without whom these partitions could be written
 */
public record UnwritablePartitions(int count, List<String> because) {
    /** Those of a topology when these members answer, by id. */
    public static UnwritablePartitions of(Topology topology, Set<String> answering) {
        if (topology.members().stream().map(Member::id).allMatch(answering::contains)) {
            return new UnwritablePartitions(0, List.of());
        }
        Placement current = Placement.current(topology);
        Placement next = Placement.next(topology);
        SortedSet<String> because = new TreeSet<>();
        int count = 0;
        for (int partition = 0; partition < topology.partitions(); partition++) {
            SortedSet<String> silent = new TreeSet<>(silent(topology, current, partition, answering));
            silent.addAll(silent(topology, next, partition, answering));
            if (!silent.isEmpty()) {
                count++;
                because.addAll(silent);
            }
        }
        return new UnwritablePartitions(count, List.copyOf(because));
    }

    /** Ids of those owners of a partition that do not answer, if so many do not that there is no majority; else none. */
    private static List<String> silent(Topology topology, Placement placement, int partition, Set<String> answering) {
        List<Member> owners = placement.owners(partition, topology.replicationFactor());
        List<String> silent = owners.stream()
                .map(Member::id)
                .filter(id -> !answering.contains(id))
                .toList();
        int majority = owners.size() / 2 + 1;
        return owners.size() - silent.size() < majority ? silent : List.of();
    }

    /** For a person; empty if there are none. */
    public String inWords() {
        return count == 0
                ? ""
                : "no majority of the owners of " + count
                        + " partitions answers, so they can't be written by default, because of "
                        + String.join(", ", because);
    }
}
