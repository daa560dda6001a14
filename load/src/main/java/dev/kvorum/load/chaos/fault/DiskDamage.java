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

    DiskDamage(Scene scene, Restarts restarts, Tools tools) {
        this.scene = scene;
        this.restarts = restarts;
        this.tools = tools;
    }

    /** A bit of a file flips, or a file is lost. */
    void rot(PlannedFault fault, NodeProcess node) throws IOException, InterruptedException {
        node.kill();
        node.awaitEnd();
        DataFolder folder = folder(node);
        Optional<RottenFile> file = RottenFile.choose(folder.cells(), fault.chance());
        if (file.isEmpty()) {
            scene.log().add("kill -9  " + node.id() + "; it has no file that could rot");
            restarts.startAgain(List.of(node));
            return;
        }
        scene.log().add("kill -9  " + node.id() + "; " + file.get().rot());
        Recovery recovery = new Recovery(scene, node, folder, file.get()::mayGoUnnoticed, tools.nanos());
        finish(node, recovery, recovery.await());
    }

    /** The node finds what its directory held some seconds ago. */
    void rollBack(PlannedFault fault, NodeProcess node) throws IOException, InterruptedException {
        DataFolder folder = folder(node);
        Path copy = folder.path().resolveSibling(node.id() + ".older");
        end(node, (fault.chance() & 1) == 0);
        folder.copyTo(copy);
        scene.log().add("stop     " + node.id() + "; its directory is copied");
        restarts.startAgain(List.of(node));
        if (scene.end().await(fault.lasts())) {
            DataFolder.delete(copy);
            return;
        }
        end(node, (fault.chance() & 2) == 0);
        folder.putBack(copy);
        scene.log().add("stop     " + node.id() + "; its directory is the copy of before");
        scene.turn().renew();
        Recovery recovery = new Recovery(scene, node, folder, () -> false, tools.nanos());
        boolean isWhole = recovery.await();
        if (isWhole && recovery.lostAt().isEmpty()) {
            scene.log().complain(node.id() + " goes on with an older copy of its directory, which nobody has noticed");
        }
        finish(node, recovery, isWhole);
    }

    private static void end(NodeProcess node, boolean kill) throws InterruptedException {
        if (kill) {
            node.kill();
            node.awaitEnd();
        } else {
            node.stop();
        }
    }

    private DataFolder folder(NodeProcess node) {
        return new DataFolder(scene.cluster().dataOf(node));
    }

    private void finish(NodeProcess node, Recovery recovery, boolean isWhole) throws IOException, InterruptedException {
        if (!isWhole) {
            scene.log()
                    .complain(node.id() + " does not hold all again " + Restarts.READY_MAX
                            + " after its disk was damaged: " + recovery.state());
        } else {
            folder(node).deleteSetAside();
            scene.log()
                    .add("whole    " + node.id()
                            + (recovery.lostAt().isEmpty() ? "; it had lost nothing" : "; it was rebuilt"));
        }
        recovery.lostAt()
                .ifPresent(at -> tools.losses()
                        .accept(new DiskLoss(
                                node.id(), 0, at, isWhole ? tools.nanos().getAsLong() : DiskLoss.NEVER)));
    }
}
