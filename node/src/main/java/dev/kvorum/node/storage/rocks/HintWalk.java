package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.storage.StoredHint;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/** Goes along the queue of one member, as it was when the walk began. Blocks; one thread. */
final class HintWalk implements AutoCloseable {
    private final Slice end;
    private final ReadOptions options;
    private final RocksIterator iterator;
    private final byte[] beginning = new byte[HintLayout.TIME_END_MAX];

    /** At the first hint that has this sequence number or a greater one. */
    HintWalk(RocksDatabase database, String member, long from) throws RocksDBException {
        this.end = new Slice(HintLayout.key(member, -1)); // Unsigned, the greatest of all; it is never given.
        // Read once and then removed: in the cache they would only be in the way of cells.
        this.options = new ReadOptions().setFillCache(false).setIterateUpperBound(end);
        this.iterator = database.db().newIterator(database.hints(), options);
        iterator.seek(HintLayout.key(member, from));
        iterator.status();
    }

    boolean isAtEnd() {
        return !iterator.isValid();
    }

    void next() throws RocksDBException {
        iterator.next();
        iterator.status();
    }

    byte[] key() {
        return iterator.key();
    }

    long sequence() {
        return HintLayout.sequence(iterator.key());
    }

    /** What the hint counts. */
    int size() {
        return iterator.key().length + iterator.value(beginning);
    }

    /** When it was written; see {@link HintLayout#millis}. */
    long millis() {
        int size = iterator.value(beginning);
        return HintLayout.millis(beginning, size);
    }

    /** The hint itself; null if it is damaged. */
    @Nullable
    StoredHint hint() {
        return HintLayout.hint(iterator.key(), iterator.value());
    }

    @Override
    public void close() {
        iterator.close();
        options.close();
        end.close();
    }
}
