package dev.kvorum.operator.decision;

import dev.kvorum.operator.cluster.Labels;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.Placement;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangeTopologies;
import dev.kvorum.topology.change.MemberReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Records the data directory of each member in the topology, so that one with another disk knows that it is not who it was. Those of new members are recorded when
 * all of them have told theirs; that of one which has lost its disk, when it has pulled everything again. Where no owner of a partition has the disk that the topology knows, there was nobody to
 * pull from: then nothing is recorded before a person accepts the loss.
 */
final class Incarnations {
    private final Observed observed;
    private final Topology present;

    Incarnations(Observed observed, Topology present) {
        this.observed = observed;
        this.present = present;
    }

    MembershipStep next() {
        Set<String> replaced = replaced();
        int lost = lost(replaced);
        if (lost > 0 && !observed.isLossAccepted(present.epoch())) {
            return MembershipStep.refused("DataLost", loss(replaced, lost), null);
        }
        List<String> changed = new ArrayList<>();
        for (Member member : present.members()) {
            MemberReport report = observed.report(member).orElse(null);
            if (report == null ? member.incarnation() == null : report.epoch() != present.epoch()) {
                return none();
            }
            if (report != null && !report.incarnation().equals(member.incarnation()) && report.rebuilding() == 0) {
                changed.add(member.id());
            }
        }
        boolean isAdopted = new TopologyAdoption(observed, present).behind().isEmpty();
        return changed.isEmpty() || !isAdopted ? none() : record(changed);
    }

    /** Members that have another disk than the topology knows. */
    private Set<String> replaced() {
        return present.members().stream()
                .filter(member -> member.incarnation() != null)
                .filter(member -> observed.report(member)
                        .map(report -> !report.incarnation().equals(member.incarnation()))
                        .orElse(false))
                .map(Member::id)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** How many partitions have no owner with the disk that the topology knows. */
    private int lost(Set<String> replaced) {
        if (replaced.isEmpty()) {
            return 0;
        }
        Placement placement = Placement.current(present);
        int copies = Math.min(present.replicationFactor(), placement.size());
        return (int) IntStream.range(0, present.partitions())
                .filter(partition ->
                        placement.owners(partition, copies).stream().allMatch(owner -> replaced.contains(owner.id())))
                .count();
    }

    private String loss(Set<String> replaced, int lost) {
        return "all copies of " + lost + " of " + present.partitions() + " partitions are lost: "
                + String.join(", ", replaced) + " have other disks than epoch " + present.epoch()
                + " knows, and nobody else holds these partitions. Bring the former volumes back, or restore a backup."
                + " To go on without what was lost: "
                + observed.commands().annotate(Labels.ACCEPTED_LOSS, Long.toString(present.epoch()));
    }

    private MembershipStep record(List<String> changed) {
        Topology next = ChangeTopologies.recorded(present, observed.reports());
        Note note = Note.normal(
                "DisksRecorded",
                "Epoch " + next.epoch() + " records the data directories of " + String.join(", ", changed));
        return new MembershipStep(
                ChangePhase.None,
                "Settled",
                note.message(),
                new Publication(next, false, note),
                List.of(),
                List.of(),
                null);
    }

    private static MembershipStep none() {
        return new MembershipStep(
                ChangePhase.None,
                "Settled",
                "the members are those that are asked for",
                null,
                List.of(),
                List.of(),
                null);
    }
}
