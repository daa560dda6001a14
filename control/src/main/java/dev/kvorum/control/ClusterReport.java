package dev.kvorum.control;

import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import java.util.Map;

/**
 * A cluster as its members tell it.
 *
 * @param topology the newest that any of them goes by
 * @param reports of those that answered, by the id of the member that was asked
 * @param silent why the others have no report, in words, by the id of the member that was asked. Another member may answer at its address, for one
 */
public record ClusterReport(Topology topology, Map<String, MemberReport> reports, Map<String, String> silent) {
    /** The report of a cluster whose members have all answered, or need not say why they did not. */
    public ClusterReport(Topology topology, Map<String, MemberReport> reports) {
        this(topology, reports, Map.of());
    }
}
