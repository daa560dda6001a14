package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Brings the faults of a schedule about, each at its time on a thread of its own, and makes good again what it did. A node that is in one fault
 * is spared others meanwhile. Two nodes may be in different ones at a time, with {@link FaultKind#KILL_ALL} all of them: while a majority is
 * always gone nothing is acknowledged, and there is nothing to lose.
 */
public final class Havoc {
    private static final int BEFALLEN_MAX = 2;

    private final Scene scene;
    private final MemberChanges changes;
    private final Tools tools;
    private final Restarts restarts;
    private final DiskDamage damage;
    private final AddressFaults addresses;
    private final Turn clockTurn = new Turn();
    private final @Nullable ClockFaults clocks;
    private final List<Thread> threads = new ArrayList<>();

    public Havoc(Scene scene, MemberChanges changes, Tools tools) {
        this.scene = scene;
        this.changes = changes;
        this.tools = tools;
        this.restarts = new Restarts(scene, tools, changes::isFormer);
        this.damage = new DiskDamage(scene, restarts, tools);
        this.addresses = new AddressFaults(scene);
        this.clocks = tools.clocks()
                .map(all -> new ClockFaults(scene, all, restarts, tools.aheadMax()))
                .orElse(null);
    }

    /** Begins; returns at once. */
    public void begin(FaultSchedule schedule) {
        start("schedule", () -> {
            long start = System.nanoTime();
            for (PlannedFault fault : schedule.faults()) {
                long left = start + fault.at().toNanos() - System.nanoTime();
                if (scene.end().await(Duration.ofNanos(left))) {
                    return;
                }
                start(fault.kind().name(), () -> befall(fault));
            }
        });
    }

    /** Ends all faults at once, and waits until all nodes serve again, or are given up. */
    public void end() throws InterruptedException {
        scene.end().come();
        for (Thread thread = next(); thread != null; thread = next()) {
            thread.join();
        }
        for (NodeProcess node : scene.cluster().nodes()) {
            if (!node.isAlive()) {
                scene.log().complain(node.id() + " has ended by itself; its log says why");
                start("restart", () -> restarts.startAgain(List.of(node)));
            }
        }
        for (Thread thread = next(); thread != null; thread = next()) {
            thread.join();
        }
    }

    private synchronized @Nullable Thread next() {
        return threads.isEmpty() ? null : threads.removeFirst();
    }

    /** A part of a fault. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    private synchronized void start(String name, Step step) {
        threads.add(Thread.ofVirtual().name("chaos-" + name).start(() -> {
            try {
                step.run();
            } catch (IOException | RuntimeException e) {
                scene.log().complain(name + " could not be brought about, or not be made good: " + e.getMessage());
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }));
    }

    private void befall(PlannedFault fault) throws IOException, InterruptedException {
        if (fault.kind().changesMembers()) {
            changes.befall(fault);
        } else if (fault.kind().damagesDisk()) {
            inTurn(fault, scene.turn(), Turn.Purpose.DAMAGE);
        } else if (fault.kind().setsClock()) {
            inTurn(fault, clockTurn, Turn.Purpose.CLOCK);
        } else {
            befallVictims(fault);
        }
    }

    private void inTurn(PlannedFault fault, Turn turn, Turn.Purpose purpose) throws IOException, InterruptedException {
        if (scene.turn().needsQuiet() || !turn.take(purpose)) {
            skip(fault);
            return;
        }
        try {
            befallVictims(fault);
        } finally {
            turn.release();
        }
    }

    private void skip(PlannedFault fault) {
        scene.log()
                .add("skipped  " + fault.kind()
                        + ": enough nodes are in faults already, or all that it may befall, or one needs all others");
    }

    private void befallVictims(PlannedFault fault) throws IOException, InterruptedException {
        List<NodeProcess> victims = claim(fault);
        if (victims.isEmpty()) {
            skip(fault);
            return;
        }
        NodeProcess victim = victims.getFirst();
        try {
            switch (fault.kind()) {
                case KILL, KILL_ALL -> kill(fault, victims);
                case RESTART -> restart(victim);
                case FREEZE -> freeze(fault, victim);
                case FULL_DISK -> fillDisk(fault, victim, false);
                case FULL_DISK_KILL -> fillDisk(fault, victim, true);
                case CLOCK_STEP -> clocks().step(fault, victim);
                case CLOCK_DRIFT -> clocks().drift(fault, victim);
                case CLOCK_START -> clocks().start(fault, victim);
                case ROTTEN_FILE -> damage.rot(fault, victim);
                case ROLLED_BACK -> damage.rollBack(fault, victim);
                case WRONG_ADDRESS, SWAPPED_ADDRESSES -> addresses.befall(fault, victims);
                case ADD_NODE, REMOVE_NODE, CANCELLED_CHANGE -> throw new IllegalStateException("it befalls no node");
            }
        } finally {
            scene.claims().release(victims);
        }
    }

    private ClockFaults clocks() {
        return Objects.requireNonNull(clocks, "no clock can be set here");
    }

    private List<NodeProcess> claim(PlannedFault fault) {
        Turn turn = scene.turn();
        FaultKind kind = fault.kind();
        if (turn.needsQuiet()) {
            return List.of(); // What goes on does so only while all members answer.
        }
        List<NodeProcess> nodes = scene.cluster().nodes();
        if (kind == FaultKind.KILL_ALL) {
            // Others must remember what a disk has lost, and have it.
            return turn.isTakenFor(Turn.Purpose.DAMAGE)
                    ? List.of()
                    : scene.claims().claimAll(nodes);
        }
        List<NodeProcess> choice =
                nodes.stream().filter(node -> mayBefall(kind, node)).toList();
        List<NodeProcess> victims = scene.claims().claimOne(choice, fault.chance(), BEFALLEN_MAX);
        if (kind != FaultKind.SWAPPED_ADDRESSES || victims.isEmpty()) {
            return victims;
        }
        List<NodeProcess> both = new ArrayList<>(victims);
        both.addAll(scene.claims().claimOne(choice, fault.chance(), BEFALLEN_MAX));
        return both;
    }

    private boolean mayBefall(FaultKind kind, NodeProcess node) {
        return kind.fillsDisk() ? tools.disks().containsKey(node.id()) : !kind.misleads() || addresses.canBefall(node);
    }

    private void kill(PlannedFault fault, List<NodeProcess> victims) throws IOException, InterruptedException {
        scene.log()
                .add("kill -9  "
                        + String.join(
                                ", ", victims.stream().map(NodeProcess::id).toList()));
        victims.forEach(NodeProcess::kill);
        var _ = scene.end().await(fault.lasts());
        restarts.startAgain(victims);
    }

    private void restart(NodeProcess node) throws IOException, InterruptedException {
        scene.log().add("stop     " + node.id());
        node.stop();
        restarts.startAgain(List.of(node));
    }

    private void freeze(PlannedFault fault, NodeProcess node) throws IOException, InterruptedException {
        scene.log().add("SIGSTOP  " + node.id());
        node.freeze();
        var _ = scene.end().await(fault.lasts());
        node.thaw();
        scene.log().add("SIGCONT  " + node.id());
    }

    private void fillDisk(PlannedFault fault, NodeProcess node, boolean kill) throws IOException, InterruptedException {
        NodeDisk disk = Objects.requireNonNull(tools.disks().get(node.id()));
        scene.log().add("disk full  " + node.id());
        disk.fill(node);
        var _ = scene.end().await(fault.lasts());
        if (kill) {
            scene.log().add("kill -9  " + node.id() + ", its disk still full");
            node.kill();
        }
        disk.free(node);
        scene.log().add("disk free  " + node.id());
        if (kill) {
            restarts.startAgain(List.of(node));
        } else {
            restarts.awaitReady(node);
        }
    }
}
