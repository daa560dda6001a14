package dev.kvorum.operator.decision;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangePlan;
import dev.kvorum.topology.change.ChangePlan.Move;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The name of a change of the members, by which a person approves it, and what {@link ChangePlan} says that it moves.
 *
 * @param id names the plan: another change, or the same one at another epoch, has another
 * @param joining ids of members that join
 * @param leaving ids of members that leave
 * @param moves one for each member that gains something
 * @param counted whether all owners have said how much they hold: else the bytes of the moves mean nothing
 */
public record ScalingPlan(String id, List<String> joining, List<String> leaving, List<Move> moves, boolean counted) {
    /**
     * That of a change.
     *
     * @param begun the topology that has begun it or would
     * @param gone ids of members that nobody can ask any more
     */
    static ScalingPlan of(Topology begun, Observed observed, Set<String> gone) {
        List<String> joining = only(begun.nextOwners(), begun.currentOwners());
        List<String> leaving = only(begun.currentOwners(), begun.nextOwners());
        return new ScalingPlan(
                begun.epoch() + "-" + Integer.toHexString((joining + " " + leaving).hashCode()),
                joining,
                leaving,
                ChangePlan.moves(begun, observed.reports(), observed.sizes()),
                ChangePlan.uncounted(begun, gone, observed.sizes()).isEmpty());
    }

    private static List<String> only(List<Member> these, List<Member> others) {
        List<String> known = others.stream().map(Member::id).toList();
        return these.stream()
                .map(Member::id)
                .filter(id -> !known.contains(id))
                .sorted()
                .toList();
    }

    /** How many copies of partitions get to members that do not hold them. */
    public int partitions() {
        return moves.stream().mapToInt(Move::partitions).sum();
    }

    /** Bytes of those copies; null where they are not counted. */
    public @Nullable Long bytes() {
        return counted ? moves.stream().mapToLong(Move::bytes).sum() : null;
    }

    /** How long it takes where each pulls its share at its limit; null where that is not known. */
    public @Nullable Long seconds() {
        return counted && moves.stream().allMatch(move -> move.bytesPerSecondMax() > 0)
                ? moves.stream().mapToLong(Move::seconds).max().orElse(0)
                : null;
    }

    /** For people: what it moves, as far as that is known. */
    String inWords() {
        String size = counted ? ", " + bytes() + " bytes" : "";
        return (joining.isEmpty() ? "" : "joining: " + String.join(", ", joining) + "; ")
                + (leaving.isEmpty() ? "" : "leaving: " + String.join(", ", leaving) + "; ")
                + "copies of partitions to be moved: " + partitions() + size;
    }
}
