package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.storage.StorageKey;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** What stands in a database that no node has open. */
public final class StoredBytes {
    private StoredBytes() {}

    /** Puts others in the place of the bytes under that key, as they are under its partition. */
    public static void change(Path database, Key key, UnaryOperator<byte[]> change) {
        try (RocksDatabase opened = RocksDatabase.open(database, SmallStore.settings());
                RocksIterator all = opened.db().newIterator(opened.cells())) {
            for (all.seekToFirst(); all.isValid(); all.next()) {
                if (StorageKey.keyOf(all.key()).equals(key)) {
                    opened.db()
                            .put(
                                    opened.cells(),
                                    all.key(),
                                    change.apply(all.value().clone()));
                    return;
                }
            }
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
        throw new AssertionError("nothing is stored under " + key);
    }
}
