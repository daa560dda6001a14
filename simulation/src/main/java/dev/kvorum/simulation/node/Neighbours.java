package dev.kvorum.simulation.node;

import dev.kvorum.node.repair.MemberLife;
import dev.kvorum.topology.Topology;
import java.util.List;

/** Other machines, as one that starts meets them. */
interface Neighbours {
    /** How long those members of that topology have been alive that answer. */
    List<MemberLife> witnesses(Topology topology);

    /** What this machine held is not used any more, as others have outlived it. */
    void outlived();
}
