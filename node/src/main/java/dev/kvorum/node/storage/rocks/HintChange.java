package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** Hints that come and go in one commit, and what the accounts of their queues are then. One thread. */
final class HintChange implements AutoCloseable {
    private final ColumnFamilyHandle hints;
    private final Map<String, HintQueue> before;
    private final Map<String, HintQueue> after = new HashMap<>();
    private final Set<String> shortened = new HashSet<>();
    private final WriteBatch batch = new WriteBatch();
    private long growth;

    /** @param before the queues as they are */
    HintChange(ColumnFamilyHandle hints, Map<String, HintQueue> before) {
        this.hints = hints;
        this.before = before;
    }

    void put(String member, Key key, Cell cell) throws RocksDBException {
        HintQueue queue = queue(member);
        byte[] where = HintLayout.key(member, queue.next());
        byte[] value = HintLayout.value(key, cell);
        batch.put(hints, where, value);
        int size = where.length + value.length;
        after.put(member, queue.plus(size, cell.version().millis()));
        growth += size;
    }

    void remove(String member, byte[] key, int size) throws RocksDBException {
        batch.delete(hints, key);
        after.put(member, queue(member).minus(size));
        shortened.add(member);
        growth -= size;
    }

    private HintQueue queue(String member) {
        HintQueue changed = after.get(member);
        return changed != null ? changed : before.getOrDefault(member, HintQueue.EMPTY);
    }

    boolean isNone() {
        return after.isEmpty();
    }

    /** The changed queues. */
    Map<String, HintQueue> after() {
        return after;
    }

    /** The members whose first hint may be another one then. */
    Set<String> shortened() {
        return shortened;
    }

    /** By how many bytes all queues together have grown; negative if they have shrunk. */
    long growth() {
        return growth;
    }

    /** All of it, with the notes of the changed queues. */
    WriteBatch batch() throws RocksDBException {
        for (Map.Entry<String, HintQueue> queue : after.entrySet()) {
            batch.put(
                    hints, HintLayout.noteKey(queue.getKey()), queue.getValue().note());
        }
        return batch;
    }

    @Override
    public void close() {
        batch.close();
    }
}
