package dev.kvorum.node.storage;

import java.util.random.RandomGenerator;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Keeps the overwrites of one key from piling up in a memtable, where each read of the key would go through all of them. One write in so
 * many, by chance, has the newest cell put in the place of all that led to it; so a key that is written all the time is folded that often, and
 * whatever the order in which keys are written.
 *
 * <p>RocksDB can count them instead ({@code max_successive_merges}), but searches the memtable for that before every write, also of a key
 * that is written once: a third of what a write costs.
 *
 * <p>Confined to the writer's thread: nobody writes a cell between the look at the newest and the commit.
 */
final class Folding {
    private final RocksDatabase database;
    private final int overwrites;
    private final RandomGenerator random;

    /** @param overwrites how many of a key lie side by side before they are folded, on average; 0 never folds */
    Folding(RocksDatabase database, int overwrites, RandomGenerator random) {
        this.database = database;
        this.overwrites = overwrites;
        this.random = random;
    }

    /** Maybe adds the newest cell of a key to a batch, which must not have merged anything yet: what it merges is newer or loses all the same. */
    void maybeAdd(WriteBatch batch, byte[] key) throws RocksDBException {
        if (overwrites == 0 || random.nextInt(overwrites) > 0) {
            return;
        }
        byte[] newest = database.readMemory(key); // Where half of it is on the disk only, another one will fold it.
        if (newest != null) {
            batch.put(database.cells(), key, newest);
        }
    }
}
