package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.StoredHint;
import dev.kvorum.node.storage.rocks.RewritePosition.Part;
import dev.kvorum.node.storage.rocks.StoppedStore.Rewriting;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Goes once through all that a stopped node keeps, from a position on, and writes what a {@link Rewriting} says. Each batch has the position that the walk has come to: a walk from there meets no entry twice.
 * Blocks. One thread.
 */
final class RewritingWalk implements AutoCloseable {
    private static final byte[] BEGIN = {};
    private static final int CHANGES_MAX = 1_000;
    private static final long BYTES_MAX = 4 << 20; // Above it by one cell at most.

    private final RocksDatabase database;
    private final Rewriting rewriting;
    private final RewritePosition from;
    private final boolean writes;
    private final WriteOptions options = new WriteOptions();
    private WriteBatch batch = new WriteBatch();

    /** @param writes false shows all to it, and changes nothing */
    RewritingWalk(RocksDatabase database, Rewriting rewriting, RewritePosition from, boolean writes) {
        this.database = database;
        this.rewriting = rewriting;
        this.from = from;
        this.writes = writes;
    }

    /** Ended early, it has written a part, up to the position that is noted. */
    void run() throws RocksDBException {
        walk(Part.CELLS, database.cells(), BEGIN, this::cell);
        walk(Part.REGISTERS, database.registers(), BEGIN, this::row);
        walk(Part.HINTS, database.hints(), HintLayout.notesEnd(), this::hint);
        walkClock();
        if (batch.count() > 0) {
            flush(RewritePosition.LAST);
        }
    }

    /** The value in place of another one; the same value where it stays. */
    private interface Replacement {
        byte[] of(byte[] key, byte[] value) throws MalformedCellException;
    }

    private void walk(Part part, ColumnFamilyHandle family, byte[] first, Replacement replacement)
            throws RocksDBException {
        if (from.isBehind(part)) {
            return;
        }
        database.forEach(family, from.nextIn(part, first), null, (key, value) -> {
            try {
                put(part, family, key, value, replacement.of(key, value));
            } catch (MalformedCellException e) {
                rewriting.damaged();
            }
            return true;
        });
    }

    private byte[] cell(byte[] key, byte[] bytes) throws MalformedCellException {
        Key ofCell = StorageKey.keyOf(key);
        Cell cell = Cell.decode(bytes).requireIntact(ofCell);
        return rewriting.cell(ofCell, cell).bytes();
    }

    private byte[] row(byte[] key, byte[] row) throws MalformedCellException {
        return rewriting.row(StorageKey.keyOf(key), row);
    }

    private byte[] hint(byte[] key, byte[] value) {
        StoredHint hint = HintLayout.hint(key, value);
        if (hint == null) {
            rewriting.damaged();
            return value;
        }
        return HintLayout.value(hint.key(), rewriting.hint(hint.key(), hint.cell()));
    }

    private void walkClock() throws RocksDBException {
        byte @Nullable [] time = database.db().get(database.notes(), RocksStore.CLOCK);
        if (from.isBehind(Part.CLOCK) || time == null) {
            return;
        }
        long fresh = rewriting.time(ByteBuffer.wrap(time).getLong());
        byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(fresh).array();
        put(Part.CLOCK, database.notes(), RocksStore.CLOCK, time, bytes);
    }

    private void put(Part part, ColumnFamilyHandle family, byte[] key, byte[] before, byte[] after) {
        if (!writes || Arrays.equals(before, after)) {
            return;
        }
        try {
            batch.put(family, key, after);
            if (batch.count() >= CHANGES_MAX || batch.getDataSize() >= BYTES_MAX) {
                flush(new RewritePosition(part, key));
            }
        } catch (RocksDBException e) {
            throw RocksDatabase.failure(e);
        }
    }

    private void flush(RewritePosition position) throws RocksDBException {
        batch.put(database.notes(), RewritePosition.NOTE, position.bytes());
        database.db().write(options, batch);
        batch.close();
        batch = new WriteBatch();
        database.sync();
    }

    @Override
    public void close() {
        batch.close();
        options.close();
    }
}
