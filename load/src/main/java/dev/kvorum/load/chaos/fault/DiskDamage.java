package dev.kvorum.load.chaos.fault;

import dev.kvorum.history.DiskLoss;
import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Damages the disk of a node that does not run, and waits until the node holds all again. Until then no other disk is damaged, as that could hold the only copy that is left. What a node
 * loses belongs to the history. Any thread.
 */
final class DiskDamage {
    private final Scene scene;
    private final Restarts restarts;
    private final Tools tools;
    private final Ends ends;

    DiskDamage(Scene scene, Restarts restarts, Tools tools) {
        this.scene = scene;
        this.restarts = restarts;
        this.tools = tools;
        this.ends = new Ends(scene.log());
    }

    /** A bit of a file flips, or a file is lost. False if the node has lost nothing by it. */
    boolean rot(PlannedFault fault, NodeProcess node) throws IOException, InterruptedException {
        ends.kill(node);
        DataFolder folder = folder(node);
        Optional<RottenFile> file = RottenFile.choose(folder.cells(), fault.chance());
        if (file.isEmpty()) {
            scene.log().add("kill -9  " + node.id() + "; it has no file that could rot");
            restarts.startAgain(List.of(node));
            return false;
        }
        scene.log().add("kill -9  " + node.id() + "; " + file.get().rot());
        Recovery recovery = new Recovery(scene, node, folder, file.get()::mayGoUnnoticed, tools.nanos());
        return finish(node, recovery, recovery.await());
    }

    /** The node finds what its directory held some seconds ago. False if the run ended before that. */
    boolean rollBack(PlannedFault fault, NodeProcess node) throws IOException, InterruptedException {
        DataFolder folder = folder(node);
        Path copy = folder.path().resolveSibling(node.id() + ".older");
        end(node, (fault.chance() & 1) == 0);
        folder.copyTo(copy);
        scene.log().add("stop     " + node.id() + "; its directory is copied");
        restarts.startAgain(List.of(node));
        if (scene.end().await(fault.lasts())) {
            DataFolder.delete(copy);
            return false;
        }
        end(node, (fault.chance() & 2) == 0);
        folder.putBack(copy);
        scene.log().add("stop     " + node.id() + "; its directory is the copy of before");
        scene.turn().renew();
        Recovery recovery = new Recovery(scene, node, folder, () -> false, tools.nanos());
        boolean isWhole = recovery.await();
        if (isWhole && recovery.losses().isEmpty()) {
            scene.log().complain(node.id() + " goes on with an older copy of its directory, which nobody has noticed");
        }
        return finish(node, recovery, isWhole);
    }

    private void end(NodeProcess node, boolean kill) throws InterruptedException {
        if (kill) {
            ends.kill(node);
        } else {
            ends.stop(node);
        }
    }

    private DataFolder folder(NodeProcess node) {
        return new DataFolder(scene.cluster().dataOf(node));
    }

    /** Whether the node has lost something. */
    private boolean finish(NodeProcess node, Recovery recovery, boolean isWhole)
            throws IOException, InterruptedException {
        if (!isWhole) {
            scene.log()
                    .complain(node.id() + " does not hold all again " + Restarts.READY_MAX
                            + " after its disk was damaged: " + recovery.state());
        } else {
            folder(node).deleteSetAside();
            scene.log()
                    .add("whole    " + node.id()
                            + (recovery.losses().isEmpty() ? "; it had lost nothing" : "; it was rebuilt"));
        }
        recovery.losses()
                .regained(isWhole ? tools.nanos().getAsLong() : DiskLoss.NEVER)
                .forEach(tools.losses());
        return !recovery.losses().isEmpty();
    }
}
