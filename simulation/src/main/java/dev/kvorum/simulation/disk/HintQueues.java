package dev.kvorum.simulation.disk;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.storage.HintBacklog;
import dev.kvorum.node.storage.StoredHint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The queues of hints that a disk holds, read when a process begins, and changed with it from then on. */
final class HintQueues {
    private static final String HINTS = "hints";
    private static final String NEXT =
            "hints next"; // The sequence number of the next one, by member: never given twice.
    private static final int LAYOUT_BYTES = 2 + Long.BYTES + 2;

    private final SimulatedDisk disk;
    private final NavigableMap<String, NavigableMap<Long, StoredHint>> queues = new TreeMap<>();
    private final Map<String, Long> bytesByMember = new HashMap<>();
    private long bytes;

    /** A hint, and for whom. */
    private record Owed(String member, StoredHint hint) {
        long millis() {
            return hint.cell().version().millis();
        }
    }

    /** Changes of the disk that are made together, and what the queues are once they are made. */
    final class Batch {
        private final List<Change> changes = new ArrayList<>();
        private final List<Runnable> effects = new ArrayList<>();

        /** Whether it could be made, if there is anything to make. */
        boolean commit() {
            boolean done = changes.isEmpty() || disk.append(changes);
            if (done) {
                effects.forEach(Runnable::run);
            }
            return done;
        }

        private void add(String member, StoredHint hint) {
            byte[] name = member.getBytes(StandardCharsets.US_ASCII);
            changes.add(Change.put(HINTS, keyOf(member, hint.sequence()), valueOf(hint)));
            changes.add(Change.put(NEXT, name, longBytes(hint.sequence() + 1)));
            effects.add(() -> insert(member, hint));
        }

        private void remove(String member, StoredHint hint) {
            changes.add(Change.delete(HINTS, keyOf(member, hint.sequence())));
            effects.add(() -> delete(member, hint));
        }
    }

    HintQueues(SimulatedDisk disk) {
        this.disk = disk;
        disk.held(HINTS).forEach((key, value) -> {
            String member = new String(key, 0, key.length - Long.BYTES, StandardCharsets.US_ASCII);
            long sequence = ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
            insert(member, hintOf(member, sequence, value));
        });
    }

    private void insert(String member, StoredHint hint) {
        queues.computeIfAbsent(member, any -> new TreeMap<>()).put(hint.sequence(), hint);
        count(member, hint.bytes());
    }

    /** Counted as they come and go: how much waits is asked all the time. */
    private void count(String member, int more) {
        bytes += more;
        bytesByMember.merge(member, (long) more, Long::sum);
    }

    private void delete(String member, StoredHint hint) {
        NavigableMap<Long, StoredHint> queue = queue(member);
        if (queue.remove(hint.sequence()) != null) {
            count(member, -hint.bytes());
        }
        if (queue.isEmpty()) {
            queues.remove(member);
        }
    }

    private NavigableMap<Long, StoredHint> queue(String member) {
        return queues.getOrDefault(member, new TreeMap<>());
    }

    /** What a hint counts. */
    static int bytes(String member, Key key, Cell cell) {
        return LAYOUT_BYTES + member.length() + key.utf8().length + cell.bytes().length;
    }

    /** What waits, by member. */
    Map<String, HintBacklog> waiting() {
        Map<String, HintBacklog> waiting = new TreeMap<>();
        queues.forEach((member, queue) -> waiting.put(member, backlog(member, queue)));
        return waiting;
    }

    private HintBacklog backlog(String member, NavigableMap<Long, StoredHint> queue) {
        long oldest = queue.firstEntry().getValue().cell().version().millis();
        return new HintBacklog(queue.size(), bytesByMember.getOrDefault(member, 0L), oldest);
    }

    List<StoredHint> page(String member, long from, int hintsMax, long bytesMax) {
        List<StoredHint> page = new ArrayList<>();
        long read = 0;
        for (StoredHint hint : queue(member).tailMap(from, true).values()) {
            read += hint.bytes();
            if (page.size() == hintsMax || (read > bytesMax && !page.isEmpty())) {
                break;
            }
            page.add(hint);
        }
        return page;
    }

    /** At the end of a member's queue. */
    void put(String member, Key key, Cell cell, Batch batch) {
        byte[] name = member.getBytes(StandardCharsets.US_ASCII);
        long sequence = disk.read(NEXT, name)
                .map(ByteBuffer::wrap)
                .map(ByteBuffer::getLong)
                .orElse(0L);
        batch.add(member, new StoredHint(sequence, bytes(member, key, cell), key, cell));
    }

    void remove(String member, List<StoredHint> hints, Batch batch) {
        hints.stream()
                .filter(hint -> queue(member).containsKey(hint.sequence()))
                .forEach(hint -> batch.remove(member, hint));
    }

    /** Removes the oldest until no more than so many bytes are left, and returns how many that took. */
    int makeRoom(long bytesMax, Batch batch) {
        List<Owed> oldest = bytes > bytesMax ? oldestFirst() : List.of();
        int gone = 0;
        for (long left = bytes; left > bytesMax; gone++) {
            Owed owed = oldest.get(gone);
            left -= owed.hint.bytes();
            batch.remove(owed.member, owed.hint);
        }
        return gone;
    }

    /** Removes those that were written before, and returns how many that took. */
    int expire(long millis, Batch batch) {
        List<Owed> expired =
                oldestFirst().stream().filter(owed -> owed.millis() < millis).toList();
        expired.forEach(owed -> batch.remove(owed.member, owed.hint));
        return expired.size();
    }

    private List<Owed> oldestFirst() {
        List<Owed> all = new ArrayList<>();
        queues.forEach((member, queue) -> queue.values().forEach(hint -> all.add(new Owed(member, hint))));
        all.sort(Comparator.comparingLong(Owed::millis));
        return all;
    }

    private static StoredHint hintOf(String member, long sequence, byte[] value) {
        ByteBuffer buffer = ByteBuffer.wrap(value);
        byte[] utf8 = new byte[buffer.getShort()];
        buffer.get(utf8);
        byte[] cellBytes = new byte[buffer.remaining()];
        buffer.get(cellBytes);
        Key key = Key.ofUtf8(utf8);
        Cell cell = Cell.decode(cellBytes);
        return new StoredHint(sequence, bytes(member, key, cell), key, cell);
    }

    private static byte[] valueOf(StoredHint hint) {
        byte[] utf8 = hint.key().utf8();
        byte[] cell = hint.cell().bytes();
        return ByteBuffer.allocate(2 + utf8.length + cell.length)
                .putShort((short) utf8.length)
                .put(utf8)
                .put(cell)
                .array();
    }

    private static byte[] keyOf(String member, long sequence) {
        return ByteBuffer.allocate(member.length() + Long.BYTES)
                .put(member.getBytes(StandardCharsets.US_ASCII))
                .putLong(sequence)
                .array();
    }

    private static byte[] longBytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }
}
