package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.LocalCluster;
import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Brings the faults of a schedule about, each at its time on a thread of its own, and makes good again what it did. A node that is in one fault
 * is spared others meanwhile. Two nodes may be in different ones at a time, with {@link FaultKind#KILL_ALL} all of them: while a majority is
 * always gone nothing is acknowledged, and there is nothing to lose.
 */
public final class Havoc {
    private static final Duration READY_MAX = Duration.ofMinutes(4);

    private static final int BEFALLEN_MAX = 2;

    private final LocalCluster cluster;
    private final Map<String, NodeDisk> disks;
    private final MemberChanges changes;
    private final Claims claims;
    private final FaultLog log;
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    /** @param disks that can be filled, by the ids of their nodes */
    public Havoc(
            LocalCluster cluster, Map<String, NodeDisk> disks, MemberChanges changes, Claims claims, FaultLog log) {
        this.cluster = cluster;
        this.disks = disks;
        this.changes = changes;
        this.claims = claims;
        this.log = log;
    }

    /** Begins; returns at once. */
    public void begin(FaultSchedule schedule) {
        start("schedule", () -> {
            long start = System.nanoTime();
            for (PlannedFault fault : schedule.faults()) {
                long left = start + fault.at().toNanos() - System.nanoTime();
                if (over.await(left, TimeUnit.NANOSECONDS)) {
                    return;
                }
                start(fault.kind().name(), () -> befall(fault));
            }
        });
    }

    /** Ends all faults at once, and waits until all nodes serve again, or are given up. */
    public void end() throws InterruptedException {
        over.countDown();
        for (Thread thread = next(); thread != null; thread = next()) {
            thread.join();
        }
        for (NodeProcess node : cluster.nodes()) {
            if (!node.isAlive()) {
                log.complain(node.id() + " has ended by itself; its log says why");
                start("restart", () -> startAgain(List.of(node)));
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
                log.complain(name + " could not be brought about, or not be made good: " + e.getMessage());
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }));
    }

    private void befall(PlannedFault fault) throws IOException, InterruptedException {
        if (fault.kind().changesMembers()) {
            changes.befall(fault);
            return;
        }
        List<NodeProcess> victims = claim(fault);
        if (victims.isEmpty()) {
            log.add("skipped  " + fault.kind()
                    + ": enough nodes are in faults already, or all that it may befall, or a change needs all");
            return;
        }
        try {
            switch (fault.kind()) {
                case KILL, KILL_ALL -> kill(fault, victims);
                case RESTART -> restart(victims.getFirst());
                case FREEZE -> freeze(fault, victims.getFirst());
                case FULL_DISK -> fillDisk(fault, victims.getFirst(), false);
                case FULL_DISK_KILL -> fillDisk(fault, victims.getFirst(), true);
                case ADD_NODE, REMOVE_NODE, CANCELLED_CHANGE -> throw new IllegalStateException("it befalls no node");
            }
        } finally {
            claims.release(victims);
        }
    }

    private List<NodeProcess> claim(PlannedFault fault) {
        if (changes.needsQuiet()) {
            return List.of(); // It goes on only while all members answer.
        }
        if (fault.kind() == FaultKind.KILL_ALL) {
            return claims.claimAll(cluster.nodes());
        }
        List<NodeProcess> choice = cluster.nodes().stream()
                .filter(node -> !fault.kind().fillsDisk() || disks.containsKey(node.id()))
                .toList();
        return claims.claimOne(choice, fault.chance(), BEFALLEN_MAX);
    }

    /** As long as the fault lasts, or until the run ends. */
    private void await(PlannedFault fault) throws InterruptedException {
        var _ = over.await(fault.lasts().toNanos(), TimeUnit.NANOSECONDS);
    }

    private void kill(PlannedFault fault, List<NodeProcess> victims) throws IOException, InterruptedException {
        log.add("kill -9  " + names(victims));
        victims.forEach(NodeProcess::kill);
        await(fault);
        startAgain(victims);
    }

    private void restart(NodeProcess node) throws IOException, InterruptedException {
        log.add("stop     " + node.id());
        node.stop();
        startAgain(List.of(node));
    }

    private void startAgain(List<NodeProcess> nodes) throws IOException, InterruptedException {
        log.add("start    " + names(nodes));
        for (NodeProcess node : nodes) {
            cluster.restart(node);
        }
        for (NodeProcess node : nodes) {
            awaitReady(node);
        }
    }

    private void awaitReady(NodeProcess node) throws InterruptedException {
        try {
            boolean isReady = node.awaitReadyUnless(READY_MAX, () -> changes.isFormer(node));
            log.add((isReady ? "ready    " : "a member no more  ") + node.id());
        } catch (IOException e) {
            log.complain(String.valueOf(e.getMessage()));
        }
    }

    private void freeze(PlannedFault fault, NodeProcess node) throws IOException, InterruptedException {
        log.add("SIGSTOP  " + node.id());
        node.freeze();
        await(fault);
        node.thaw();
        log.add("SIGCONT  " + node.id());
    }

    private void fillDisk(PlannedFault fault, NodeProcess node, boolean kill) throws IOException, InterruptedException {
        NodeDisk disk = Objects.requireNonNull(disks.get(node.id()));
        log.add("disk full  " + node.id());
        disk.fill(node);
        await(fault);
        if (kill) {
            log.add("kill -9  " + node.id() + ", its disk still full");
            node.kill();
        }
        disk.free(node);
        log.add("disk free  " + node.id());
        if (kill) {
            startAgain(List.of(node));
        } else {
            awaitReady(node);
        }
    }

    private static String names(List<NodeProcess> nodes) {
        return String.join(", ", nodes.stream().map(NodeProcess::id).toList());
    }
}
