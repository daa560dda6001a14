package dev.kvorum.load.chaos.fault;

import dev.kvorum.history.DiskLoss;
import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

    /** Starts all of them, and waits until they serve and hold all, or are given up. */
    void startAgain(List<NodeProcess> nodes) throws IOException, InterruptedException {
        scene.log()
                .add("start    "
                        + String.join(", ", nodes.stream().map(NodeProcess::id).toList()));
        List<Callable<Void>> waits = new ArrayList<>();
        for (NodeProcess node : nodes) {
            Start start = start(node);
            waits.add(() -> {
                awaitWhole(start);
                return null;
            });
        }
        awaitAll(waits);
    }

    private static void awaitAll(List<Callable<Void>> waits) throws InterruptedException {
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Void> wait : each.invokeAll(waits)) {
                wait.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Starts a node that has ended, or is about to. */
    Start start(NodeProcess node) throws IOException, InterruptedException {
        node.awaitEnd();
        Start start = new Start(node, tools.nanos().getAsLong(), node.endedAt().orElseThrow());
        scene.cluster().restart(node);
        return start;
    }

    /** Waits until a node serves that runs; one that does not in time is a complaint. */
    void awaitReady(NodeProcess node) throws InterruptedException {
        try {
            var _ = isReady(node);
        } catch (IOException e) {
            scene.log().complain(String.valueOf(e.getMessage()));
        }
    }

    /** Waits until a node serves that was started, and holds all; one that does not in time is a complaint. */
    void awaitWhole(Start start) throws InterruptedException {
        try {
            DataFolder folder = new DataFolder(scene.cluster().dataOf(start.node()));
            Optional<Instant> setAside =
                    isReady(start.node()) ? folder.lastSetAside().filter(start::hasSeen) : Optional.empty();
            if (setAside.isPresent()) {
                judge(start, setAside.get());
                awaitRebuilt(start, folder);
            }
        } catch (IOException e) {
            scene.log().complain(String.valueOf(e.getMessage()));
        }
    }

    /** Whether the node has ceased to be a member. */
    boolean isFormer(NodeProcess node) {
        return isFormer.test(node);
    }

    private boolean isReady(NodeProcess node) throws IOException, InterruptedException {
        boolean isReady = node.awaitReadyUnless(READY_MAX, () -> isFormer.test(node));
        scene.log().add((isReady ? "ready    " : "a member no more  ") + node.id());
        return isReady;
    }

    private void judge(Start start, Instant setAside) {
        String words = start.node().id() + " has set its database aside, though nothing was done to its disk, after "
                + start.awayUntil(setAside).toSeconds() + " s away";
        if (start.isTooShortFor(setAside, tools.grace())) {
            scene.log().complain(words);
        } else {
            scene.log().add("lost     " + words);
        }
    }

    private void awaitRebuilt(Start start, DataFolder folder) throws IOException, InterruptedException {
        NodeProcess node = start.node();
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
                        node.id(), 0, start.at(), isWhole ? tools.nanos().getAsLong() : DiskLoss.NEVER));
        if (isWhole) {
            folder.deleteSetAside();
            scene.log().add("whole    " + node.id() + "; it was rebuilt");
        } else {
            scene.log().complain(node.id() + " does not hold all again after " + READY_MAX);
        }
    }
}
