package dev.kvorum.load.chaos.fault;

import dev.kvorum.history.DiskLoss;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a disk loses until its node holds all again: all of it, and maybe more than once. One thread. */
final class Losses {
    private final String node;
    private final DataFolder folder;
    private final List<Long> times = new ArrayList<>();
    private int setAside;

    /** Of which those databases count that are set aside from now on. */
    Losses(String node, DataFolder folder) throws IOException {
        this.node = node;
        this.folder = folder;
        this.setAside = folder.setAside().size();
    }

    /** Whether the node has set a database aside since this was asked last. */
    boolean hasSetAside() throws IOException {
        int before = setAside;
        setAside = folder.setAside().size();
        return setAside > before;
    }

    /** All was lost at that time of the history. */
    void add(long at) {
        times.add(at);
    }

    boolean isEmpty() {
        return times.isEmpty();
    }

    /** For the history: each of them, regained at that time. */
    List<DiskLoss> regained(long at) {
        return times.stream().map(lost -> new DiskLoss(node, 0, lost, at)).toList();
    }
}
