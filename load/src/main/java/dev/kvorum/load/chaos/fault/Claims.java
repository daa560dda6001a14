package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.NodeProcess;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Which nodes are in whose hands: only one fault at a time stops, starts or ends a node. Any thread. */
public final class Claims {
    private final Set<NodeProcess> claimed = new HashSet<>();

    /** Those of them that nobody has claimed, which they are from now on. */
    synchronized List<NodeProcess> claimAll(List<NodeProcess> nodes) {
        List<NodeProcess> free =
                nodes.stream().filter(Predicate.not(claimed::contains)).toList();
        claimed.addAll(free);
        return free;
    }

    /** One of them, which chance decides, unless so many are claimed already; none where nobody is free. */
    synchronized List<NodeProcess> claimOne(List<NodeProcess> nodes, int chance, int claimedMax) {
        List<NodeProcess> free =
                nodes.stream().filter(Predicate.not(claimed::contains)).toList();
        if (free.isEmpty() || claimed.size() >= claimedMax) {
            return List.of();
        }
        NodeProcess node = free.get(chance % free.size());
        claimed.add(node);
        return List.of(node);
    }

    /** That node, once it is free. */
    synchronized void await(NodeProcess node) throws InterruptedException {
        while (!claimed.add(node)) {
            wait();
        }
    }

    synchronized void release(List<NodeProcess> nodes) {
        nodes.forEach(claimed::remove);
        notifyAll();
    }
}
