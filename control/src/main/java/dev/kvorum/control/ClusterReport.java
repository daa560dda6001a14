package dev.kvorum.control;

import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import java.util.Map;

/**
 * A cluster as its members tell it.
 *
 * @param topology the newest that any of them goes by
 * @param reports of those that answered, by the id of the member that was asked
 */
public record ClusterReport(Topology topology, Map<String, MemberReport> reports) {}
