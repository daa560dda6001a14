package dev.kvorum.node.consensus;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which registers of this node may be open, so that nobody has to look through all of its rows for them. One that is missing is not open, as far as what it accepted
 * in this life: an acceptance is noted before the store is asked for it. What former lives left is {@linkplain #found noted} by whoever has read it. Any thread.
 *
 * <p>As many as there are writes under way, and those whose coordinators have died within the last seconds.
 */
final class OpenRegisters {
    private final Map<Key, Entry> entries = new ConcurrentHashMap<>();

    /**
     * One of them.
     *
     * @param version the greatest that it has accepted
     * @param steps how many acceptances the store is at work on
     * @param stamp another one each time that such a step begins or ends
     */
    record Entry(int partition, Version version, int steps, long stamp) {
        private Entry begun(Version other) {
            return new Entry(partition, other.isAbove(version) ? other : version, steps + 1, stamp + 1);
        }

        private Entry ended() {
            return new Entry(partition, version, steps - 1, stamp + 1);
        }
    }

    /** The store will be asked to accept that version. */
    void begins(int partition, Key key, Version version) {
        entries.compute(
                key,
                (same, entry) -> (entry == null ? new Entry(partition, Version.NONE, 0, 0) : entry).begun(version));
    }

    /** The store has answered: once for each that has begun. */
    void ended(Key key) {
        entries.computeIfPresent(key, (same, entry) -> entry.ended());
    }

    /** It was open when it was read. */
    void found(int partition, Key key, Version version) {
        entries.computeIfAbsent(key, same -> new Entry(partition, version, 0, 0));
    }

    /** A version was committed: what was accepted up to that is not open any more. */
    void committed(Key key, Version version) {
        entries.computeIfPresent(
                key, (same, entry) -> entry.steps == 0 && !entry.version.isAbove(version) ? null : entry);
    }

    /** What is noted of it; null if it is not open. */
    @Nullable
    Entry of(Key key) {
        return entries.get(key);
    }

    /** It was not open when it was read, and nothing has been accepted since {@code before} was noted, unless there is something else now. */
    void closed(Key key, Entry before) {
        if (before.steps == 0) {
            entries.remove(key, before);
        }
    }

    List<Key> all() {
        return List.copyOf(entries.keySet());
    }

    List<Key> in(int partition) {
        return entries.entrySet().stream()
                .filter(entry -> entry.getValue().partition == partition)
                .map(Map.Entry::getKey)
                .toList();
    }

    int size() {
        return entries.size();
    }
}
