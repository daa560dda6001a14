package dev.kvorum.load.chaos.fault;

import dev.kvorum.load.cluster.NodeProcess;
import java.io.IOException;
import java.util.List;

/**
 * Stands in for a full disk where nobody may mount a small one: the kernel lets no file of the process grow, and answers {@code EFBIG}. Needs
 * no rights, as it lowers a soft limit of an own process. It is gone with the process.
 */
public final class FileSizeLimit implements NodeDisk {
    @Override
    public void fill(NodeProcess node) throws IOException, InterruptedException {
        limit(node, "0:");
    }

    @Override
    public void free(NodeProcess node) throws IOException, InterruptedException {
        limit(node, "unlimited:");
    }

    private static void limit(NodeProcess node, String soft) throws IOException, InterruptedException {
        if (node.isAlive()) {
            NodeDisk.run(List.of("prlimit", "--pid", Long.toString(node.pid()), "--fsize=" + soft));
        }
    }
}
