package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Brings the faults of a schedule about, each at its time or some time later on a thread of its own, and makes good again what it did. A node that is in one fault
 * is spared others meanwhile. Two nodes may be in different ones at a time, with {@link FaultKind#KILL_ALL} all of them: while a majority is
 * always gone nothing is acknowledged, and there is nothing to lose. A node that ends by itself is a complaint, and is started again.
 */
public final class Havoc {
    private static final int BEFALLEN_MAX = 2;
    private static final int RESTARTS_MAX = 3; // Of a node that ends by itself.
    private static final Duration TICK = Duration.ofMillis(100);

    private final Scene scene;
    private final MemberChanges changes;
    private final Restarts restarts;
    private final ProcessFaults processes;
    private final DiskDamage damage;
    private final AddressFaults addresses;
    private final Turn clockTurn = new Turn();
    private final @Nullable ClockFaults clocks;
    private final FaultTally tally = new FaultTally();
    private final Ends ends;
    private final Map<NodeProcess, Integer> restarted = new HashMap<>(); // By the thread of the schedule alone.
    private final List<Thread> threads = new ArrayList<>();

    public Havoc(Scene scene, MemberChanges changes, Tools tools) {
        this.scene = scene;
        this.changes = changes;
        this.restarts = new Restarts(scene, tools, changes::isFormer);
        this.processes = new ProcessFaults(scene, restarts, tools.disks());
        this.damage = new DiskDamage(scene, restarts, tools);
        this.addresses = new AddressFaults(scene);
        this.ends = new Ends(scene.log());
        this.clocks = tools.clocks()
                .map(all -> new ClockFaults(scene, all, restarts, tools.aheadMax()))
                .orElse(null);
    }

    /** What has become of the planned faults. */
    public FaultTally tally() {
        return tally;
    }

    /** Begins; returns at once. */
    public void begin(FaultSchedule schedule) {
        start("schedule", () -> follow(new ArrayDeque<>(schedule.faults())));
    }

    /** Until the run ends: only then no node can end by itself any more. */
    private void follow(Deque<PlannedFault> planned) throws InterruptedException {
        FaultQueue queue = new FaultQueue();
        long begun = System.nanoTime();
        do {
            Duration now = Duration.ofNanos(System.nanoTime() - begun);
            while (!planned.isEmpty() && planned.getFirst().at().compareTo(now) <= 0) {
                queue.add(planned.removeFirst());
            }
            queue.offer(this::begins);
            queue.expired(now).forEach(this::skip);
            startEnded();
        } while (!scene.end().await(TICK));
        queue.rest().forEach(this::skip);
        planned.forEach(this::skip);
    }

    /** Starts those again that have ended by themselves. */
    private void startEnded() {
        List<NodeProcess> claimed = scene.claims()
                .claimAll(scene.cluster().nodes().stream()
                        .filter(node -> !node.isAlive())
                        .toList());
        // What a fault had ended it may have started again meanwhile, and what a change has ended is gone.
        for (NodeProcess node : claimed) {
            if (node.isAlive() || !isThere(List.of(node)) || restarted.merge(node, 1, Integer::sum) > RESTARTS_MAX) {
                scene.claims().release(List.of(node));
            } else {
                start("restart", () -> startEnded(node));
            }
        }
    }

    private void startEnded(NodeProcess node) throws IOException, InterruptedException {
        try {
            ends.complainIfEnded(node);
            restarts.startAgain(List.of(node));
        } finally {
            scene.claims().release(List.of(node));
        }
    }

    /** Ends all faults at once, and waits until all nodes serve again, or are given up. */
    public void end() throws InterruptedException {
        scene.end().come();
        for (Thread thread = next(); thread != null; thread = next()) {
            thread.join();
        }
        for (NodeProcess node : scene.cluster().nodes()) {
            if (!node.isAlive()) {
                start("restart", () -> startEnded(node));
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

    /** A fault that befalls somebody; whether it had an effect. */
    private interface Effect {
        boolean befall() throws IOException, InterruptedException;
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

    private void skip(PlannedFault fault) {
        tally.skipped(fault.kind());
        scene.log()
                .add(
                        "skipped  " + fault.kind()
                                + ": enough nodes were in faults all the time, or all that it may befall, or one needed all others, or the run is over");
    }

    /** Begins a fault if it may befall now; whether it does. */
    private boolean begins(PlannedFault fault) {
        FaultKind kind = fault.kind();
        if (kind.changesMembers()) {
            return beginsChange(fault);
        }
        if (scene.turn().needsQuiet()) {
            return false; // What goes on does so only while all members answer.
        }
        if (kind.damagesDisk()) {
            return beginsInTurn(fault, scene.turn(), Turn.Purpose.DAMAGE);
        }
        return kind.setsClock()
                ? beginsInTurn(fault, clockTurn, Turn.Purpose.CLOCK)
                : beginsAt(claim(fault), fault, () -> {});
    }

    private boolean beginsChange(PlannedFault fault) {
        boolean begins = changes.takesTurn(fault.kind());
        if (begins) {
            begin(fault.kind(), () -> changes.befall(fault));
        }
        return begins;
    }

    private boolean beginsInTurn(PlannedFault fault, Turn turn, Turn.Purpose purpose) {
        if (!turn.take(purpose)) {
            return false;
        }
        boolean begins = beginsAt(claim(fault), fault, turn::release);
        if (!begins) {
            turn.release();
        }
        return begins;
    }

    private boolean beginsAt(List<NodeProcess> victims, PlannedFault fault, Runnable then) {
        if (victims.isEmpty()) {
            return false;
        }
        begin(fault.kind(), () -> {
            try {
                return befall(fault, victims);
            } finally {
                scene.claims().release(victims);
                then.run();
            }
        });
        return true;
    }

    private void begin(FaultKind kind, Effect effect) {
        start(kind.name(), () -> {
            boolean hadEffect = false;
            try {
                hadEffect = effect.befall();
            } finally {
                tally.ended(kind, hadEffect);
            }
        });
    }

    /** Whether it had an effect. */
    private boolean befall(PlannedFault fault, List<NodeProcess> victims) throws IOException, InterruptedException {
        NodeProcess victim = victims.getFirst();
        return switch (fault.kind()) {
            case KILL, KILL_ALL -> done(() -> processes.kill(fault, victims));
            case RESTART -> done(() -> processes.restart(victim));
            case FREEZE -> done(() -> processes.freeze(fault, victim));
            case FULL_DISK -> done(() -> processes.fillDisk(fault, victim));
            case FULL_DISK_KILL -> done(() -> processes.fillDiskAndKill(fault, victim));
            case CLOCK_STEP -> clocks().step(fault, victim);
            case CLOCK_DRIFT -> clocks().drift(fault, victim);
            case CLOCK_START -> clocks().start(fault, victim);
            case ROTTEN_FILE -> damage.rot(fault, victim);
            case ROLLED_BACK -> damage.rollBack(fault, victim);
            case WRONG_ADDRESS, SWAPPED_ADDRESSES -> addresses.befall(fault, victims);
            case ADD_NODE, REMOVE_NODE, CANCELLED_CHANGE -> throw new IllegalStateException("it befalls no node");
        };
    }

    /** Nothing can be in vain. */
    private static boolean done(Step step) throws IOException, InterruptedException {
        step.run();
        return true;
    }

    private ClockFaults clocks() {
        return Objects.requireNonNull(clocks, "no clock can be set here");
    }

    private List<NodeProcess> claim(PlannedFault fault) {
        FaultKind kind = fault.kind();
        if (kind == FaultKind.KILL_ALL && scene.turn().isTakenFor(Turn.Purpose.DAMAGE)) {
            return List.of(); // Others must remember what a disk has lost, and have it.
        }
        List<NodeProcess> choice = scene.cluster().nodes().stream()
                .filter(node -> mayBefall(kind, node))
                .toList();
        int count = kind == FaultKind.SWAPPED_ADDRESSES ? 2 : 1;
        List<NodeProcess> victims = kind == FaultKind.KILL_ALL
                ? scene.claims().claimAll(choice)
                : scene.claims().claim(choice, count, fault.chance(), BEFALLEN_MAX);
        if (isThere(victims)) {
            return victims;
        }
        scene.claims().release(victims);
        return List.of();
    }

    /** Whether none of them was removed before it was claimed. */
    private boolean isThere(List<NodeProcess> nodes) {
        return scene.cluster().nodes().containsAll(nodes);
    }

    private boolean mayBefall(FaultKind kind, NodeProcess node) {
        if (kind.fillsDisk()) {
            return processes.hasSmallDisk(node);
        }
        // Nobody compares clocks with a node that is yet to become a member.
        return kind.setsClock() ? changes.isKnown(node) : !kind.misleads() || addresses.canBefall(node);
    }
}
