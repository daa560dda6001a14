package dev.kvorum.node.core;

import dev.kvorum.node.membership.ClusterView;
import dev.kvorum.node.verification.MemberLife;
import dev.kvorum.node.verification.Progress;
import dev.kvorum.topology.Topology;
import dev.kvorum.topology.change.MemberReport;
import java.util.List;
import java.util.UUID;

/** The other members, as one asks them that has not opened its store and its ports yet. May block for some seconds. */
public interface Witnesses {
    /** How long those have been alive that answer. */
    List<MemberLife> lives(ClusterView view);

    /** How far those that answer remember this member's directory to have come. */
    List<Progress> progress(ClusterView view, UUID incarnation);

    /** What those go by that answer. */
    List<Topology> topologies(ClusterView view);

    /** What those say of themselves that answer. */
    List<MemberReport> reports(ClusterView view);
}
