package dev.kvorum.e2e.fault;

import dev.kvorum.e2e.cluster.Cluster;
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
        cluster.renewVolume(node);
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
