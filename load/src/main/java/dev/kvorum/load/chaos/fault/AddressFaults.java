package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.DelayProxy;
import dev.kvorum.load.cluster.NodeProcess;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** Lets addresses of members lead to other members for a while, as a stale name does. Any thread. */
final class AddressFaults {
    private static final String MISTAKEN = "kvorum_frames_mistaken_total";
    private static final List<String> MISTAKEN_FAMILY = List.of("kvorum_frames_mistaken");

    private final Scene scene;
    private final Map<String, DelayProxy> proxies;

    AddressFaults(Scene scene) {
        this.scene = scene;
        this.proxies = scene.cluster().proxies();
    }

    /** Whether the address of a node can be led astray. */
    boolean canBefall(NodeProcess node) {
        return proxies.containsKey(node.id());
    }

    /** Swaps the addresses of two victims. The address of a single one leads to any other node. False if nobody met the wrong member. */
    boolean befall(PlannedFault fault, List<NodeProcess> victims) throws InterruptedException {
        NodeProcess first = victims.getFirst();
        NodeProcess last = victims.size() > 1 ? victims.getLast() : other(first, fault.chance());
        Map<String, Count> before = mistaken();
        scene.log()
                .add(
                        victims.size() > 1
                                ? "addresses of " + first.id() + " and " + last.id() + " are swapped"
                                : "address  of " + first.id() + " leads to " + last.id());
        try {
            lead(first, last);
            if (victims.size() > 1) {
                lead(last, first);
            }
            var _ = scene.end().await(fault.lasts());
        } finally {
            victims.forEach(node -> lead(node, node));
        }
        long met = Count.between(before, mistaken());
        scene.log().add("address  of " + first.id() + " is right again; the wrong member was met " + met + " times");
        return met > 0;
    }

    private NodeProcess other(NodeProcess node, int chance) {
        List<NodeProcess> others =
                scene.cluster().nodes().stream().filter(other -> other != node).toList();
        return others.get(chance % others.size());
    }

    private void lead(NodeProcess from, NodeProcess to) {
        Objects.requireNonNull(proxies.get(from.id())).leadTo(to.peer().getPort());
    }

    /** As all nodes that answer count it, by their ids. */
    private Map<String, Count> mistaken() throws InterruptedException {
        Map<String, Count> counts = new TreeMap<>();
        for (NodeProcess node : scene.cluster().nodes()) {
            int life = node.life();
            Optional<Map<String, Double>> metrics = node.management().metrics(MISTAKEN_FAMILY);
            metrics.ifPresent(all ->
                    counts.put(node.id(), new Count(life, Math.round(all.getOrDefault(MISTAKEN, 0.0)))));
        }
        return counts;
    }

    /**
     * How often a node met the wrong member.
     *
     * @param life that counted it, from the start of its process on
     */
    record Count(int life, long met) {
        /** The sum over all that answered both times. */
        static long between(Map<String, Count> before, Map<String, Count> after) {
            return before.entrySet().stream()
                    .mapToLong(then -> Optional.ofNullable(after.get(then.getKey()))
                            .map(now -> now.since(then.getValue()))
                            .orElse(0L))
                    .sum();
        }

        private long since(Count before) {
            return life == before.life ? met - before.met : met;
        }
    }
}
