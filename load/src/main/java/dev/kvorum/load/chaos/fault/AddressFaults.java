package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.DelayProxy;
import dev.kvorum.load.cluster.LocalCluster;
import dev.kvorum.load.cluster.NodeProcess;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

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

    /** Swaps the addresses of two victims. The address of a single one leads to any other node. */
    void befall(PlannedFault fault, List<NodeProcess> victims) throws InterruptedException {
        NodeProcess first = victims.getFirst();
        NodeProcess last = victims.size() > 1 ? victims.getLast() : other(first, fault.chance());
        double before = mistaken();
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
        scene.log()
                .add("address  of " + first.id() + " is right again; the wrong member was met "
                        + Math.max(0, Math.round(mistaken() - before)) + " times");
    }

    private NodeProcess other(NodeProcess node, int chance) {
        List<NodeProcess> others =
                scene.cluster().nodes().stream().filter(other -> other != node).toList();
        return others.get(chance % others.size());
    }

    private void lead(NodeProcess from, NodeProcess to) {
        Objects.requireNonNull(proxies.get(from.id())).leadTo(to.peer().getPort());
    }

    /** As all nodes that answer count it. */
    private double mistaken() throws InterruptedException {
        double sum = 0;
        LocalCluster cluster = scene.cluster();
        for (NodeProcess node : cluster.nodes()) {
            Optional<Map<String, Double>> metrics = node.management().metrics(MISTAKEN_FAMILY);
            sum += metrics.map(all -> all.getOrDefault(MISTAKEN, 0.0)).orElse(0.0);
        }
        return sum;
    }
}
