package dev.kvorum.e2e.fault;

import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.cluster.Sidecar;

/** A disk on which nothing is left: somebody else's file has taken it. The cluster needs disks of a size of their own. */
public final class FullDisk implements Fault {
    private static final String FILLER = "/data/filler";

    private final Node node;

    private FullDisk(Node node) {
        this.node = node;
    }

    public static FullDisk of(Node node) {
        Sidecar.onDiskOf(node, "sh", "-c", "dd if=/dev/zero of=" + FILLER + " bs=64k 2>/dev/null; test -s " + FILLER);
        return new FullDisk(node);
    }

    @Override
    public void close() {
        Sidecar.onDiskOf(node, "rm", FILLER);
    }
}
