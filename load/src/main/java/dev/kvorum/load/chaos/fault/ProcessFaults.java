package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Ends processes of nodes, makes them stand still, and fills their disks, and makes that good again. Any thread. */
final class ProcessFaults {
    private final Scene scene;
    private final Restarts restarts;
    private final Map<String, NodeDisk> disks;
    private final Ends ends;

    /** @param disks that can be filled, by the ids of their nodes */
    ProcessFaults(Scene scene, Restarts restarts, Map<String, NodeDisk> disks) {
        this.scene = scene;
        this.restarts = restarts;
        this.disks = Map.copyOf(disks);
        this.ends = new Ends(scene.log());
    }

    /** Whether the disk of a node can be filled. */
    boolean hasSmallDisk(NodeProcess node) {
        return disks.containsKey(node.id());
    }

    /** All of them at once. */
    void kill(PlannedFault fault, List<NodeProcess> victims) throws IOException, InterruptedException {
        scene.log()
                .add("kill -9  "
                        + String.join(
                                ", ", victims.stream().map(NodeProcess::id).toList()));
        victims.forEach(ends::complainIfEnded);
        victims.forEach(NodeProcess::kill);
        var _ = scene.end().await(fault.lasts());
        restarts.startAgain(victims);
    }

    /** An orderly stop, and a start. */
    void restart(NodeProcess node) throws IOException, InterruptedException {
        scene.log().add("stop     " + node.id());
        ends.stop(node);
        restarts.startAgain(List.of(node));
    }

    /** It stands still while the fault lasts. */
    void freeze(PlannedFault fault, NodeProcess node) throws IOException, InterruptedException {
        scene.log().add("SIGSTOP  " + node.id());
        node.freeze();
        var _ = scene.end().await(fault.lasts());
        node.thaw();
        scene.log().add("SIGCONT  " + node.id());
    }

    /** No byte more fits on its disk while the fault lasts. */
    void fillDisk(PlannedFault fault, NodeProcess node) throws IOException, InterruptedException {
        NodeDisk disk = fill(fault, node);
        free(disk, node);
        restarts.awaitReady(node);
    }

    /** The same, and it is killed before there is room again. */
    void fillDiskAndKill(PlannedFault fault, NodeProcess node) throws IOException, InterruptedException {
        NodeDisk disk = fill(fault, node);
        scene.log().add("kill -9  " + node.id() + ", its disk still full");
        ends.kill(node);
        free(disk, node);
        restarts.startAgain(List.of(node));
    }

    private NodeDisk fill(PlannedFault fault, NodeProcess node) throws IOException, InterruptedException {
        NodeDisk disk = Objects.requireNonNull(disks.get(node.id()));
        scene.log().add("disk full  " + node.id());
        disk.fill(node);
        var _ = scene.end().await(fault.lasts());
        return disk;
    }

    private void free(NodeDisk disk, NodeProcess node) throws IOException, InterruptedException {
        disk.free(node);
        scene.log().add("disk free  " + node.id());
    }
}
