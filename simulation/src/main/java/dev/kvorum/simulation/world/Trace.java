package dev.kvorum.simulation.world;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What happened: always as a hash, by which two runs are compared, and in words where somebody reads them. */
public final class Trace {
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final int ROTATION = 29;

    private final Timeline timeline;
    private final @Nullable Consumer<String> reader;
    private long hash;

    /** @param reader of each line; null where nobody reads */
    public Trace(Timeline timeline, @Nullable Consumer<String> reader) {
        this.timeline = timeline;
        this.reader = reader;
    }

    /**
     * Something happened.
     *
     * @param where a node, or the way from one to another
     * @param what in a word or two, the same for all that is alike
     * @param detail tells one from the other
     * @param words for people, on demand
     */
    public void note(String where, String what, long detail, Supplier<String> words) {
        mix(timeline.now());
        mix(where.hashCode());
        mix(what.hashCode());
        mix(detail);
        if (reader != null) {
            tell(where, what + " " + words.get());
        }
    }

    public void note(String where, String what, long detail) {
        note(where, what, detail, () -> "");
    }

    /** A line for people that is not part of the hash. */
    public void comment(String where, Supplier<String> words) {
        if (reader != null) {
            tell(where, words.get());
        }
    }

    private void tell(String where, String words) {
        if (reader != null) {
            reader.accept(String.format(Locale.ROOT, "%s  %-8s %s", time(timeline.now()), where, words));
        }
    }

    private void mix(long value) {
        hash = Long.rotateLeft((hash ^ value) * MULTIPLIER, ROTATION);
    }

    /** Of all that happened so far. */
    public long hash() {
        return hash;
    }

    /** A virtual time for people: seconds and microseconds. */
    public static String time(long nanos) {
        return String.format(Locale.ROOT, "%4d.%06d", nanos / 1_000_000_000, nanos / 1000 % 1_000_000);
    }
}
