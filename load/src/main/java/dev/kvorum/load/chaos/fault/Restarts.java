package dev.kvorum.load.chaos.fault;

import dev.kvorum.history.DiskLoss;
import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * Starts nodes again that a fault has ended. On a busy machine one of them may have been away for longer than deletions are kept: then it sets its database aside, which is a loss of its disk as well.
 * Any thread.
 */
final class Restarts {
    static final Duration READY_MAX = Duration.ofMinutes(4);

    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Scene scene;
    private final Tools tools;
    private final Predicate<NodeProcess> isFormer;

    /** @param isFormer whether a node has ceased to be a member, so that it will not be ready again */
    Restarts(Scene scene, Tools tools, Predicate<NodeProcess> isFormer) {
        this.scene = scene;
        this.tools = tools;
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
        long begun = tools.nanos().getAsLong();
        try {
            boolean isReady = node.awaitReadyUnless(READY_MAX, () -> isFormer.test(node));
            scene.log().add((isReady ? "ready    " : "a member no more  ") + node.id());
            DataFolder folder = new DataFolder(scene.cluster().dataOf(node));
            if (isReady && !folder.setAside().isEmpty()) {
                awaitRebuilt(node, folder, begun);
            }
        } catch (IOException e) {
            scene.log().complain(String.valueOf(e.getMessage()));
        }
    }

    private void awaitRebuilt(NodeProcess node, DataFolder folder, long lostAt)
            throws IOException, InterruptedException {
        scene.log().add("lost     " + node.id() + " has set its database aside, though nothing was done to its disk");
        long deadline = System.nanoTime() + READY_MAX.toNanos();
        boolean isWhole = false;
        while (!isWhole && System.nanoTime() < deadline) {
            Thread.sleep(PAUSE);
            isWhole = scene.cluster()
                    .report(node)
                    .filter(report -> report.rebuilding() == 0)
                    .isPresent();
        }
        tools.losses()
                .accept(new DiskLoss(
                        node.id(), 0, lostAt, isWhole ? tools.nanos().getAsLong() : DiskLoss.NEVER));
        if (isWhole) {
            folder.deleteSetAside();
            scene.log().add("whole    " + node.id() + "; it was rebuilt");
        } else {
            scene.log().complain(node.id() + " does not hold all again after " + READY_MAX);
        }
    }
}
