package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.NodeProcess;
import dev.kvorum.topology.change.MemberReport;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What a supervisor and a person do for a node whose disk is damaged, until it holds all again. The supervisor starts a node that ends. The person replaces a database of which the node says that
 * a file is damaged (docs/operations.md), and one whose damage the node has not met for some time. One thread.
 */
final class Recovery {
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration BEFORE_START = Duration.ofSeconds(1);

    private final Scene scene;
    private final NodeProcess node;
    private final DataFolder folder;
    private final BooleanSupplier isDamaged;
    private final Losses losses;
    private final LongSupplier nanos;
    private long startedAt; // By the clock of the history.
    private long readySince; // By the monotonic clock; 0 while the node is not.
    private String state = "it has not started";

    /**
     * @param isDamaged whether something is damaged yet that the node may not have met
     * @param nanos     since the beginning of the history
     */
    Recovery(Scene scene, NodeProcess node, DataFolder folder, BooleanSupplier isDamaged, LongSupplier nanos)
            throws IOException {
        this.scene = scene;
        this.node = node;
        this.folder = folder;
        this.isDamaged = isDamaged;
        this.losses = new Losses(node.id(), folder);
        this.nanos = nanos;
    }

    /** What the node has lost since. */
    Losses losses() {
        return losses;
    }

    /** What it was like when it was last looked. */
    String state() {
        return state;
    }

    /** Starts the node, and waits until it holds all; false if it does not in time. */
    boolean await() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Restarts.READY_MAX.toNanos();
        start();
        while (System.nanoTime() < deadline) {
            if (!node.isAlive()) {
                noteSetAside(); // By the start that has ended.
                scene.log()
                        .add("ended    " + node.id() + " with code "
                                + node.exitCode().orElse(0) + "; it is started again");
                Thread.sleep(BEFORE_START);
                start();
            } else if (isWhole()) {
                return true;
            }
            Thread.sleep(PAUSE);
        }
        return false;
    }

    private void start() throws IOException, InterruptedException {
        readySince = 0;
        startedAt = nanos.getAsLong();
        scene.cluster().restart(node);
    }

    private boolean isWhole() throws IOException, InterruptedException {
        noteSetAside();
        NodeSight sight = look();
        state = sight.inWords();
        readySince = !sight.isReady() ? 0 : readySince == 0 ? System.nanoTime() : readySince;
        Duration readyFor = readySince == 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - readySince);
        return switch (sight.judge(!losses.isEmpty(), isDamaged.getAsBoolean(), readyFor)) {
            case WAIT -> false;
            case WHOLE -> true;
            case DAMAGED -> replaceDatabase("it says that a file is damaged");
            case DAMAGED_UNMET -> replaceDatabase("it has not met the damage");
        };
    }

    private NodeSight look() throws InterruptedException {
        Optional<String> readiness = node.management().readiness();
        Optional<MemberReport> report = scene.cluster().report(node);
        return new NodeSight(
                readiness.orElse(""),
                node.management().isReady(),
                report.map(told -> OptionalInt.of(told.rebuilding())).orElse(OptionalInt.empty()));
    }

    private void noteSetAside() throws IOException {
        if (losses.hasSetAside()) {
            scene.log().add("lost     " + node.id() + " has set its database aside");
            lost();
        }
    }

    private boolean replaceDatabase(String reason) throws IOException, InterruptedException {
        scene.log().add("replace  the database of " + node.id() + ": " + reason);
        new Ends(scene.log()).stopDamaged(node);
        folder.deleteCells();
        start();
        lost();
        return false;
    }

    private void lost() {
        losses.add(startedAt);
        scene.turn().renew();
    }
}
