package dev.kvorum.e2e.fault;

import dev.kvorum.e2e.cluster.Cluster;
import dev.kvorum.e2e.cluster.Engine;
import dev.kvorum.e2e.cluster.Node;

/** A node that is gone, by SIGKILL, until it is started again. */
public final class Kill implements Fault {
    private final Node node;

    private Kill(Node node) {
        this.node = node;
    }

    public static Kill of(Node node) {
        node.kill();
        return new Kill(node);
    }

    /** With all that its disk held: it will be started on an empty one. */
    public static Kill withDisk(Cluster cluster, Node node) {
        node.kill();
        node.remove();
        Engine.docker().removeVolumeCmd(node.volume()).exec();
        Engine.docker()
                .createVolumeCmd()
                .withName(node.volume())
                .withLabels(Engine.labels())
                .exec();
        cluster.recorder().addWipe(node.id());
        return new Kill(node);
    }

    @Override
    public void close() {
        if (node.exists()) {
            node.start();
        } else {
            node.create();
        }
        node.awaitReady();
    }
}
