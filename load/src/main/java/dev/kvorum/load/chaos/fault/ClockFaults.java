package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Sets the clock of a node wrong for a while, and then right again: one clock at a time, as nobody knows the time where most clocks are wrong. Any thread. */
final class ClockFaults {
    private static final Duration TICK = Duration.ofMillis(50);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration LOOK_MAX = Duration.ofMinutes(1);
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

    /** What is done to a clock that runs, until the fault has lasted; how far ahead that leaves it. */
    @FunctionalInterface
    private interface Wrong {
        Duration run(ClockError error) throws IOException, InterruptedException;
    }

    /** It steps while the node runs. Each of these says whether the node has noticed, and returns when the clock is right again and the node serves. */
    boolean step(PlannedFault fault, NodeProcess node) throws IOException, InterruptedException {
        return befall(fault, node, error -> step(fault, node, error));
    }

    /** It runs too fast, or too slowly. */
    boolean drift(PlannedFault fault, NodeProcess node) throws IOException, InterruptedException {
        return befall(fault, node, error -> drift(fault, node, error));
    }

    private boolean befall(PlannedFault fault, NodeProcess node, Wrong wrong) throws IOException, InterruptedException {
        boolean isNoticed;
        try {
            isNoticed = isNoticed(node, wrong.run(errorOf(fault)));
        } finally {
            clocks.setRight(node.id());
        }
        restarts.awaitReady(node);
        return isNoticed;
    }

    /** The node is killed, and starts with a wrong clock. */
    boolean start(PlannedFault fault, NodeProcess node) throws IOException, InterruptedException {
        boolean isNoticed;
        Start start;
        try {
            ClockError error = errorOf(fault);
            scene.log().add("kill -9  " + node.id() + ", and it starts with a clock that is " + error.inWords());
            new Ends(scene.log()).kill(node);
            clocks.setBeforeStart(node.id(), error.ahead());
            start = restarts.start(node);
            awaitAnswer(fault, node);
            isNoticed = isNoticed(node, error.ahead());
        } finally {
            clocks.setRight(node.id());
        }
        restarts.awaitWhole(start);
        return isNoticed;
    }

    private ClockError errorOf(PlannedFault fault) {
        return ClockError.of(fault.chance(), tolerated);
    }

    /** Whether the node has noticed, once that is known, or the run ends. */
    private boolean isNoticed(NodeProcess node, Duration set) throws InterruptedException {
        boolean isNoticed = look(node, new ClockNotice(set));
        scene.log().add("clock    " + node.id() + " is set right" + told(node));
        return isNoticed;
    }

    /** A node that does not notice in time, though most answer, is a complaint. */
    private boolean look(NodeProcess node, ClockNotice notice) throws InterruptedException {
        long begun = System.nanoTime();
        long quietSince = begun;
        do {
            OptionalDouble told = offset(node);
            quietSince = told.isPresent() && isMajorityThere() ? quietSince : System.nanoTime();
            switch (notice.judge(told, Duration.ofNanos(System.nanoTime() - quietSince))) {
                case NOTICED -> {
                    return true;
                }
                case OVERLOOKED -> {
                    scene.log()
                            .complain(node.id() + " says that its clock is " + told.orElseThrow()
                                    + " s ahead of most, though it is " + notice.inWords());
                    return false;
                }
                case WAIT -> {
                    // It may not have heard the others yet.
                }
            }
        } while (node.isAlive()
                && !restarts.isFormer(node)
                && System.nanoTime() - begun < LOOK_MAX.toNanos()
                && !scene.end().await(PAUSE));
        return false;
    }

    private static OptionalDouble offset(NodeProcess node) throws InterruptedException {
        Optional<Map<String, Double>> metrics = node.management().metrics(List.of(OFFSET));
        return metrics.map(all -> OptionalDouble.of(all.getOrDefault(OFFSET, Double.NaN)))
                .orElse(OptionalDouble.empty());
    }

    /** Whether the others that serve and are in no fault are a majority. The node whose clock is wrong is in one, and never agrees with them. */
    private boolean isMajorityThere() throws InterruptedException {
        List<NodeProcess> nodes = scene.cluster().nodes();
        int there = 0;
        for (NodeProcess other : nodes) {
            there += scene.claims().isFree(other) && other.management().isReady() ? 1 : 0;
        }
        return 2 * there > nodes.size();
    }

    private Duration step(PlannedFault fault, NodeProcess node, ClockError error)
            throws IOException, InterruptedException {
        scene.log().add("clock    " + node.id() + " is set " + error.inWords());
        clocks.set(node.id(), error.ahead());
        var _ = scene.end().await(fault.lasts());
        return error.ahead();
    }

    private Duration drift(PlannedFault fault, NodeProcess node, ClockError error)
            throws IOException, InterruptedException {
        scene.log().add("clock    " + node.id() + " " + error.driftInWords());
        long begun = System.nanoTime();
        Duration elapsed = Duration.ZERO;
        while (elapsed.compareTo(fault.lasts()) < 0 && !scene.end().await(TICK)) {
            elapsed = Duration.ofNanos(System.nanoTime() - begun);
            clocks.set(node.id(), error.after(elapsed));
        }
        return error.after(elapsed);
    }

    private void awaitAnswer(PlannedFault fault, NodeProcess node) throws InterruptedException {
        boolean isOver = false;
        while (!isOver && node.isAlive() && node.management().readiness().isEmpty()) {
            isOver = scene.end().await(PAUSE);
        }
        var _ = scene.end().await(fault.lasts());
    }

    /** What the node has noticed, in words. */
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
