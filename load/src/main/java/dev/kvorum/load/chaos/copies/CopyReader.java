package dev.kvorum.load.chaos.copies;

import dev.kvorum.history.Copy;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Reads what every node holds under every key, from its own disk, as it is now. */
public final class CopyReader implements AutoCloseable {
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** The cells of one node, by key, for each partition. */
    private record Contents(String node, List<Map<String, HeldCell>> partitions) {}

    /**
     * Reads all of them at the same time, which takes a while: what is written meanwhile may be seen on one and not on another.
     *
     * @throws IOException if one does not answer, or not all go by the same epoch
     */
    public List<Copy> read(List<Source> nodes) throws IOException, InterruptedException {
        Ownership ownership = Ownership.of(http, nodes.getFirst().api());
        List<Contents> contents = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Contents>> reads = nodes.stream()
                    .map(node -> threads.submit(() -> contents(node, ownership)))
                    .toList();
            for (Future<Contents> read : reads) {
                contents.add(read.get());
            }
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        }
        List<Copy> copies = new ArrayList<>();
        for (int partition = 0; partition < ownership.owners().size(); partition++) {
            copies.addAll(copies(partition, ownership, contents));
        }
        return copies;
    }

    private Contents contents(Source node, Ownership ownership) throws IOException, InterruptedException {
        List<Map<String, HeldCell>> partitions = new ArrayList<>();
        try (PeerPort port = new PeerPort(node.peer())) {
            for (int partition = 0; partition < ownership.owners().size(); partition++) {
                Map<String, HeldCell> cells = new HashMap<>();
                port.cells(partition, ownership.epoch()).forEach(cell -> cells.put(cell.key(), cell));
                partitions.add(cells);
            }
        }
        return new Contents(node.id(), partitions);
    }

    private static List<Copy> copies(int partition, Ownership ownership, List<Contents> contents) {
        TreeMap<String, HeldCell> newest = new TreeMap<>();
        Comparator<HeldCell> order = Comparator.comparing(HeldCell::version);
        for (Contents node : contents) {
            node.partitions()
                    .get(partition)
                    .forEach((key, cell) ->
                            newest.merge(key, cell, (one, other) -> order.compare(one, other) >= 0 ? one : other));
        }
        List<String> owners = ownership.owners().get(partition);
        List<Copy> copies = new ArrayList<>();
        newest.forEach((key, cell) -> {
            List<String> belongs = owners.subList(0, Math.min(cell.copies(), owners.size()));
            for (Contents node : contents) {
                HeldCell held = node.partitions().get(partition).get(key);
                boolean isOwner = belongs.contains(node.node());
                if (held != null || isOwner) {
                    copies.add(new Copy(
                            node.node(),
                            key,
                            isOwner,
                            held != null && !isOwner && mayStay(node.node(), owners, ownership),
                            held == null ? null : held.version(),
                            held == null ? null : held.value()));
                }
            }
        });
        return copies;
    }

    /**
     * After a change of the members a node drops what it need not hold in those partitions only of which it holds no default copy (docs/design/0011-transfer.md, 5.):
     * what was written with fewer copies stays where it was, if that node is still among the owners.
     */
    private static boolean mayStay(String node, List<String> owners, Ownership ownership) {
        return ownership.haveMembersChanged() && owners.contains(node);
    }

    @Override
    public void close() {
        http.close();
    }
}
