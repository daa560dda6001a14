package dev.kvorum.load.cluster;

import dev.kvorum.control.ControlClient;
import dev.kvorum.control.ControlException;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The members of a cluster by the newest topology that any node tells of.
 *
 * @param epoch  of that; 0 where no node answers
 * @param states of the members, by their ids
 */
public record KnownMembers(long epoch, Map<String, MemberState> states) {
    static KnownMembers of(ControlClient control, List<NodeProcess> nodes) throws InterruptedException {
        KnownMembers newest = new KnownMembers(0, Map.of());
        for (NodeProcess node : nodes) {
            KnownMembers told = told(control, node);
            newest = told.epoch > newest.epoch ? told : newest;
        }
        return newest;
    }

    private static KnownMembers told(ControlClient control, NodeProcess node) throws InterruptedException {
        try {
            Topology topology = control.node(node.management().uri()).topology();
            Map<String, MemberState> states = new TreeMap<>();
            topology.members().forEach(member -> states.put(member.id(), member.state()));
            return new KnownMembers(topology.epoch(), states);
        } catch (ControlException _) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return new KnownMembers(0, Map.of()); // It is in a fault: others tell.
        }
    }

    public boolean isKnown() {
        return epoch > 0;
    }

    public boolean names(String id) {
        return states.containsKey(id);
    }

    public boolean isActive(String id) {
        return states.get(id) == MemberState.ACTIVE;
    }

    /** Whether a change is running. */
    public boolean isChanging() {
        return states.values().stream().anyMatch(state -> state != MemberState.ACTIVE);
    }
}
