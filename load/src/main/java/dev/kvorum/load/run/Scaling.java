package dev.kvorum.load.run;

import dev.kvorum.load.cluster.ChangeCommand;
import dev.kvorum.load.cluster.CopyShares;
import dev.kvorum.load.cluster.KnownMembers;
import dev.kvorum.load.cluster.LocalCluster;
import dev.kvorum.load.cluster.NodeProcess;
import dev.kvorum.load.generate.Traffic;
import dev.kvorum.load.scenario.ClusterPlan;
import dev.kvorum.load.scenario.LoadPlan;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Makes the spare nodes of a cluster members, and takes them out again, as people do: by commands. One thread. */
final class Scaling {
    private static final String LEFT = "kvorum_transfer_left";
    private static final String MOVED = "kvorum_transfer_bytes_total";
    private static final long LOOK_MILLIS = 1000; // Who joins has enough to do.
    private static final int CELL_HEADER_BYTES = 32; // Version, format, kind, copies, end and checksum.

    private final LocalCluster cluster;
    private final ChangeCommand commands;

    Scaling(LocalCluster cluster) {
        this.cluster = cluster;
        this.commands = cluster.commands().asFromElsewhere();
    }

    /** @throws IOException if either change fails */
    Befallen outAndIn() throws IOException, InterruptedException {
        long began = System.currentTimeMillis();
        finish(begin("start", adding()));
        finish(begin("start", spares().map(ChangeCommand::removing).toList()));
        return new Befallen(began, System.currentTimeMillis(), OptionalLong.of(moved()));
    }

    /** @throws IOException if the members are not the former in the end */
    Befallen outAndBack() throws IOException, InterruptedException {
        long began = System.currentTimeMillis();
        ChangeCommand.Running joining = begin("start", adding());
        try {
            awaitHalf(joining, () -> sum(cluster.spares(), LEFT), LOOK_MILLIS);
            finish(begin("cancel", List.of()));
        } finally {
            joining.end();
        }
        KnownMembers members = cluster.members();
        boolean areFormer = members.states().size() == cluster.nodes().size()
                && cluster.nodes().stream().allMatch(node -> members.isActive(node.id()));
        if (!areFormer) {
            throw new IOException("After a change was taken back the members are " + members);
        }
        return new Befallen(began, System.currentTimeMillis(), OptionalLong.empty());
    }

    private Stream<NodeProcess> spares() {
        return cluster.spares().stream();
    }

    private List<String> adding() {
        return spares().map(ChangeCommand::adding).toList();
    }

    private ChangeCommand.Running begin(String command, List<String> options) throws IOException {
        return commands.begin(command, cluster.node(1), options);
    }

    private static void finish(ChangeCommand.Running command) throws IOException, InterruptedException {
        if (!command.awaitEndOrKill()) {
            throw new IOException("The members could not be changed; scaling.log says why");
        }
    }

    /** How many partitions those who join have yet to verify. */
    @FunctionalInterface
    interface Left {
        double now() throws IOException, InterruptedException;
    }

    /**
     * Until those who join have verified half of the partitions that they gain.
     *
     * @param pause in milliseconds, between two looks
     * @throws IOException if that command ends before, as when the change is refused
     */
    static void awaitHalf(ChangeCommand.Running joining, Left partitions, long pause)
            throws IOException, InterruptedException {
        double most = 0;
        double left = partitions.now();
        while (left == 0 || left > most / 2) {
            boolean isAllMoved = most > 0 && left == 0;
            boolean isEnded = joining.process().waitFor(pause, TimeUnit.MILLISECONDS);
            if (isEnded && joining.process().exitValue() != 0) {
                throw new IOException(
                        "The command that adds members failed before half was moved; scaling.log says why");
            }
            if (isEnded || isAllMoved) {
                throw new IOException("All was moved before it could be taken back: there are too few keys");
            }
            most = Math.max(most, left);
            left = partitions.now();
        }
    }

    private long moved() throws IOException, InterruptedException {
        return (long) sum(Stream.concat(cluster.nodes().stream(), spares()).toList(), MOVED);
    }

    private static double sum(List<NodeProcess> nodes, String metric) throws IOException, InterruptedException {
        double sum = 0;
        for (NodeProcess node : nodes) {
            sum += node.management().metric(metric);
        }
        return sum;
    }

    /**
     * What has to be moved at least, in bytes: each of the nodes that join gets its share of the copies, as zones allow it, and when they leave,
     * the others get as much.
     */
    static double leastBytes(LoadPlan load, ClusterPlan plan, int more) {
        int nodes = plan.nodes() + more;
        CopyShares shares = CopyShares.of(nodes, load.copies(plan));
        double copies = IntStream.rangeClosed(plan.nodes() + 1, nodes)
                .mapToDouble(shares::share)
                .sum();
        double cell = Traffic.keyBytes(load.data().keys())
                + CELL_HEADER_BYTES
                + load.data().values().mean();
        return 2 * copies * load.data().keys() * cell;
    }
}
