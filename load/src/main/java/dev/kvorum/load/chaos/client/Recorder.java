package dev.kvorum.load.chaos.client;

import dev.kvorum.history.Copy;
import dev.kvorum.history.DiskLoss;
import dev.kvorum.history.HistoryFile;
import dev.kvorum.history.Operation;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes a history to a file while it happens. Any thread. */
public final class Recorder implements AutoCloseable {
    private final BufferedWriter lines;
    private final long origin = System.nanoTime();

    public Recorder(Path file) throws IOException {
        this.lines = Files.newBufferedWriter(file);
    }

    /** Nanoseconds since its beginning. */
    public long nanos() {
        return System.nanoTime() - origin;
    }

    void add(Operation operation) {
        append(HistoryFile.lineOf(operation));
    }

    /** What a disk has lost. */
    public void add(DiskLoss loss) {
        append(HistoryFile.lineOf(loss));
    }

    /** What the nodes held in the end. */
    public void addAll(List<Copy> copies) {
        copies.forEach(copy -> append(HistoryFile.lineOf(copy)));
    }

    private synchronized void append(String line) {
        try {
            lines.append(line).append('\n');
        } catch (IOException e) {
            throw new UncheckedIOException("The history can't be written", e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        lines.close();
    }
}
