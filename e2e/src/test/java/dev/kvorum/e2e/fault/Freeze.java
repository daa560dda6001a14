package dev.kvorum.e2e.fault;

import dev.kvorum.e2e.cluster.Engine;
import dev.kvorum.e2e.cluster.Node;

/** A node that stands still: its connections stay open, and nobody answers. */
public final class Freeze implements Fault {
    private final Node node;

    private Freeze(Node node) {
        this.node = node;
    }

    public static Freeze of(Node node) {
        Engine.docker().pauseContainerCmd(node.containerId()).exec();
        return new Freeze(node);
    }

    @Override
    public void close() {
        Engine.docker().unpauseContainerCmd(node.containerId()).exec();
        node.awaitReady();
    }
}
