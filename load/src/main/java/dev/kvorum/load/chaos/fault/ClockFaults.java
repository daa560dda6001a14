package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Sets the clock of a node wrong for a while, and then right again: one clock at a time, as nobody knows the time where most clocks are wrong. Any thread. */
final class ClockFaults {
    private static final Duration TICK = Duration.ofMillis(50);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final String OFFSET = "kvorum_clock_wall_offset_seconds";
    private static final String SKEWED = "kvorum_clock_skewed";

    private final Scene scene;
    private final NodeClocks clocks;
    private final Restarts restarts;
    private final Duration tolerated;

    /** @param tolerated {@code kvorum.clock.ahead-max} of the nodes */
    ClockFaults(Scene scene, NodeClocks clocks, Restarts restarts, Duration tolerated) {
        this.scene = scene;
        this.clocks = clocks;
        this.restarts = restarts;
        this.tolerated = tolerated;
    }

    /** What is done to a clock, until the fault has lasted. */
    @FunctionalInterface
    private interface Wrong {
        void run(ClockError error) throws IOException, InterruptedException;
    }

    /** It steps while the node runs. */
    void step(PlannedFault fault, NodeProcess node) throws IOException, InterruptedException {
        befall(fault, node, error -> step(fault, node, error));
    }

    /** It runs too fast, or too slowly. */
    void drift(PlannedFault fault, NodeProcess node) throws IOException, InterruptedException {
        befall(fault, node, error -> drift(fault, node, error));
    }

    /** The node is killed, and starts with a wrong clock. */
    void start(PlannedFault fault, NodeProcess node) throws IOException, InterruptedException {
        befall(fault, node, error -> start(fault, node, error));
    }

    /** The clock is right again, and the node serves, when this returns. */
    private void befall(PlannedFault fault, NodeProcess node, Wrong wrong) throws IOException, InterruptedException {
        try {
            wrong.run(ClockError.of(fault.chance(), tolerated));
            scene.log().add("clock    " + node.id() + " is set right" + told(node));
        } finally {
            clocks.setRight(node.id());
        }
        restarts.awaitReady(node);
    }

    private void step(PlannedFault fault, NodeProcess node, ClockError error) throws IOException, InterruptedException {
        scene.log().add("clock    " + node.id() + " is set " + error.inWords());
        clocks.set(node.id(), error.ahead());
        var _ = scene.end().await(fault.lasts());
    }

    private void drift(PlannedFault fault, NodeProcess node, ClockError error)
            throws IOException, InterruptedException {
        scene.log().add("clock    " + node.id() + " " + error.driftInWords());
        long begun = System.nanoTime();
        Duration elapsed = Duration.ZERO;
        while (elapsed.compareTo(fault.lasts()) < 0 && !scene.end().await(TICK)) {
            elapsed = Duration.ofNanos(System.nanoTime() - begun);
            clocks.set(node.id(), error.after(elapsed));
        }
    }

    private void start(PlannedFault fault, NodeProcess node, ClockError error)
            throws IOException, InterruptedException {
        scene.log().add("kill -9  " + node.id() + ", and it starts with a clock that is " + error.inWords());
        node.kill();
        node.awaitEnd();
        clocks.setBeforeStart(node.id(), error.ahead());
        scene.cluster().restart(node);
        boolean isOver = false;
        while (!isOver && node.isAlive() && node.management().readiness().isEmpty()) {
            isOver = scene.end().await(PAUSE);
        }
        var _ = scene.end().await(fault.lasts());
    }

    /** What the node has noticed. */
    private static String told(NodeProcess node) throws InterruptedException {
        Optional<Map<String, Double>> metrics = node.management().metrics(List.of(OFFSET, SKEWED));
        return metrics.map(all -> String.format(
                        Locale.ROOT,
                        "; it said that its wall clock is %+.1f s off%s",
                        all.getOrDefault(OFFSET, Double.NaN),
                        all.getOrDefault(SKEWED, 0.0) > 0 ? ", and that it takes no plain writes" : ""))
                .orElse("");
    }
}
