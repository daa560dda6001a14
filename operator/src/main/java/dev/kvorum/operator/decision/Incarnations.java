package dev.kvorum.operator.decision;

import dev.kvorum.topology.Member;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.ChangeTopologies;
import dev.kvorum.topology.change.MemberReport;
import java.util.ArrayList;
import java.util.List;

/**
 * Records the data directory of each member in the topology, so that one with another disk knows that it is not who it was. Those of new members are recorded when
 * all of them have told theirs; that of one which has lost its disk, when it has pulled everything again.
 */
final class Incarnations {
    private final Observed observed;
    private final Topology present;

    Incarnations(Observed observed, Topology present) {
        this.observed = observed;
        this.present = present;
    }

    MembershipStep next() {
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
