package dev.kvorum.e2e.record;

import dev.kvorum.history.DiskLoss;
import dev.kvorum.history.History;
import dev.kvorum.history.HistoryFile;
import dev.kvorum.history.Operation;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** All operations of all clients of a cluster, as a history that can be checked; also in a file, as it happens. Any thread may use it. */
public final class Recorder implements AutoCloseable {
    private final Path file;
    private final BufferedWriter lines;
    private final List<Operation> operations = new ArrayList<>();
    private final List<DiskLoss> losses = new ArrayList<>();
    private final long begin = System.nanoTime();
    private final AtomicInteger clients = new AtomicInteger();

    public Recorder(Path file) {
        this.file = file;
        try {
            Files.createDirectories(file.getParent());
            lines = Files.newBufferedWriter(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A number that no other client of the cluster has. */
    public int nextClient() {
        return clients.incrementAndGet();
    }

    /** Nanoseconds since the record began. */
    public long now() {
        return System.nanoTime() - begin;
    }

    public synchronized void add(Operation operation) {
        operations.add(operation);
        try {
            lines.write(HistoryFile.lineOf(operation));
            lines.newLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All that a disk had taken is lost. */
    public synchronized void addWipe(String node) {
        losses.add(new DiskLoss(node, 0, now()));
    }

    /** What happened until now. */
    public synchronized History history() {
        return new History(operations, losses, List.of());
    }

    /** The file, with all that happened until now in it. */
    public synchronized Path written() {
        try {
            HistoryFile.write(history(), file.resolveSibling("history-whole.jsonl"));
            lines.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file.resolveSibling("history-whole.jsonl");
    }

    @Override
    public synchronized void close() {
        try {
            lines.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
