package dev.kvorum.load.chaos.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Which faults began and ended when, by the clock of the history. Any thread. */
public final class FaultLog {
    private static final double NANOS_PER_SECOND = 1e9;

    private final LongSupplier nanos;
    private final Consumer<String> reader;
    private final List<String> lines = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();

    /** @param reader sees each line at once */
    public FaultLog(LongSupplier nanos, Consumer<String> reader) {
        this.nanos = nanos;
        this.reader = reader;
    }

    public synchronized void add(String words) {
        String line = String.format(Locale.ROOT, "%9.3f s  %s", nanos.getAsLong() / NANOS_PER_SECOND, words);
        lines.add(line);
        reader.accept(line);
    }

    /** Something that should not happen, whatever the faults. */
    public synchronized void complain(String words) {
        complaints.add(words);
        add("! " + words);
    }

    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    public synchronized List<String> complaints() {
        return List.copyOf(complaints);
    }
}
