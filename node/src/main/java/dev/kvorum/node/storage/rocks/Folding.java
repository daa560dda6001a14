package dev.kvorum.node.storage.rocks;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Keeps the overwrites of one key from piling up in a memtable, where each read of the key would go through all of them. One write in so
 * many is chosen, by chance. If the write chosen before it, among the keys that share its place in a small table, was of the same key, that
 * key is written often: then its newest cell is put in the place of all that led to it. So keys that are written in turn are hardly ever folded, and
 * one that is written all the time is folded that often, whatever the order of writes.
 *
 * <p>RocksDB can count overwrites instead ({@code max_successive_merges}), but searches the memtable for that before every write, also of a key
 * that is written once: a third of what a write costs.
 *
 * <p>Confined to the writer's thread.
 */
final class Folding {
    private static final int PLACES = 256; // As many keys as can be written often at a time.

    private final RocksDatabase database;
    private final int overwrites;
    private final RandomGenerator random;
    private final int[] chosen = new int[PLACES]; // The hash of the last key that was, of those of each place.

    /** @param overwrites how many of a key lie side by side before they are folded, on average */
    Folding(RocksDatabase database, int overwrites, RandomGenerator random) {
        this.database = database;
        this.overwrites = overwrites;
        this.random = random;
    }

    /** Whether a key that is written is to be folded now: mostly not. */
    boolean isDue(byte[] key) {
        return random.nextInt(overwrites) == 0 && isWrittenOften(key);
    }

    /**
     * Adds the newest cells of keys to a batch, which must not have merged anything yet: what it merges is newer or loses all the same. Nobody else may
     * commit a cell until the batch is.
     */
    void fold(WriteBatch batch, List<byte[]> keys) throws RocksDBException {
        for (byte[] key : keys) {
            byte[] newest = database.readMemory(key); // Where half of it is on the disk only, another one will fold it.
            if (newest != null) {
                batch.put(database.cells(), key, newest);
            }
        }
    }

    private boolean isWrittenOften(byte[] key) {
        int hash = Arrays.hashCode(key);
        int place = Math.floorMod(hash, PLACES);
        boolean often = chosen[place] == hash;
        chosen[place] = hash;
        return often;
    }
}
