package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** Starts nodes again that a fault has ended. Any thread. */
final class Restarts {
    static final Duration READY_MAX = Duration.ofMinutes(4);

    private final Scene scene;
    private final Predicate<NodeProcess> isFormer;

    /** @param isFormer whether a node has ceased to be a member, so that it will not be ready again */
    Restarts(Scene scene, Predicate<NodeProcess> isFormer) {
        this.scene = scene;
        this.isFormer = isFormer;
    }

    /** Starts all of them, and waits until they serve, or are given up. */
    void startAgain(List<NodeProcess> nodes) throws IOException, InterruptedException {
        scene.log()
                .add("start    "
                        + String.join(", ", nodes.stream().map(NodeProcess::id).toList()));
        for (NodeProcess node : nodes) {
            scene.cluster().restart(node);
        }
        for (NodeProcess node : nodes) {
            awaitReady(node);
        }
    }

    /** Waits until it serves; one that does not in time is a complaint. */
    void awaitReady(NodeProcess node) throws InterruptedException {
        try {
            boolean isReady = node.awaitReadyUnless(READY_MAX, () -> isFormer.test(node));
            scene.log().add((isReady ? "ready    " : "a member no more  ") + node.id());
        } catch (IOException e) {
            scene.log().complain(String.valueOf(e.getMessage()));
        }
    }
}
