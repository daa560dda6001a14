package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.NodeProcess;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

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

    /** So many of them, which chance decides; none where fewer are free, or more than that maximum would be claimed. */
    synchronized List<NodeProcess> claim(List<NodeProcess> nodes, int count, int chance, int claimedMax) {
        List<NodeProcess> free =
                nodes.stream().filter(Predicate.not(claimed::contains)).toList();
        if (free.size() < count || claimed.size() + count > claimedMax) {
            return List.of();
        }
        List<NodeProcess> chosen = IntStream.range(0, count)
                .mapToObj(i -> free.get((chance % free.size() + i) % free.size()))
                .toList();
        claimed.addAll(chosen);
        return chosen;
    }

    synchronized boolean isFree(NodeProcess node) {
        return !claimed.contains(node);
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
