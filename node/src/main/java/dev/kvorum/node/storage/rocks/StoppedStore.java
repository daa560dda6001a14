package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.MalformedCellException;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.storage.DataDirectoryException;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.StoredHint;
import dev.kvorum.node.storage.directory.DataDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** All that a node keeps, while it is stopped: nobody else can open it meanwhile. All methods block. One thread. */
public final class StoppedStore implements AutoCloseable {
    /** While this note is there, a command has not finished its work on the store. */
    private static final byte[] UNFINISHED = utf8("unfinished");

    private static final byte[] BEGIN = {};
    private static final int BATCH_MAX = 1000;

    private final RocksDatabase database;
    private final WriteOptions options = new WriteOptions();
    private WriteBatch batch = new WriteBatch();

    private StoppedStore(RocksDatabase database) {
        this.database = database;
    }

    /**
     * Opens the store in a data directory.
     *
     * @throws DataDirectoryException if there is none, or a node runs on it
     */
    public static StoppedStore open(Path directory) {
        Path path = DataDirectory.databaseIn(directory);
        if (!Files.exists(path.resolve(RocksDatabase.CURRENT))) {
            throw new DataDirectoryException(
                    directory + " is no data directory of a node: it has no database", "Name another with --data-dir.");
        }
        requireOwner(directory);
        return new StoppedStore(RocksDatabase.open(
                path,
                DataDirectory.syncedIn(directory),
                false,
                Settings.of(StorageSettings.class).get()));
    }

    /** Else the node could not open the files that are made here. */
    private static void requireOwner(Path directory) {
        try {
            Path tried = Files.createTempFile(directory, "owner", null);
            boolean isOwn = Files.getOwner(tried).equals(Files.getOwner(directory));
            Files.delete(tried);
            if (!isOwn) {
                throw new DataDirectoryException(
                        directory + " belongs to another user, " + Files.getOwner(directory),
                        "Run the command as that user: the node must be able to read the files that it makes.");
            }
        } catch (IOException e) {
            throw new DataDirectoryException(
                    directory + " can't be written to: " + e, "Run the command as the user of the node.", e);
        }
    }

    /** Says what is to stand in the place of what is stored. What is returned unchanged stays. */
    public interface Rewriting {
        Cell cell(Key key, Cell cell);

        Cell hint(Key key, Cell cell);

        /** The row of a register. */
        byte[] row(Key key, byte[] row);

        /** The newest hybrid time that the node has noted. */
        long time(long hybridTime);

        /** Something that is damaged, or in a form that is not known, stays as it is. */
        void damaged();
    }

    /** Goes through all. Killed in between, it has done a part; {@link #unfinished} tells. */
    public void rewrite(Rewriting rewriting) {
        try {
            rewriteCells(rewriting);
            rewriteRows(rewriting);
            rewriteHints(rewriting);
            byte @Nullable [] time = database.db().get(database.notes(), RocksStore.CLOCK);
            if (time != null) {
                long fresh = rewriting.time(ByteBuffer.wrap(time).getLong());
                put(
                        database.notes(),
                        RocksStore.CLOCK,
                        time,
                        ByteBuffer.allocate(Long.BYTES).putLong(fresh).array());
            }
            flush();
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    private void rewriteCells(Rewriting rewriting) throws RocksDBException {
        database.forEach(database.cells(), BEGIN, null, (storageKey, bytes) -> {
            try {
                Key key = StorageKey.keyOf(storageKey);
                Cell cell = Cell.decode(bytes).requireIntact(key);
                put(
                        database.cells(),
                        storageKey,
                        bytes,
                        rewriting.cell(key, cell).bytes());
            } catch (MalformedCellException e) {
                rewriting.damaged();
            }
            return true;
        });
    }

    private void rewriteRows(Rewriting rewriting) throws RocksDBException {
        database.forEach(database.registers(), BEGIN, null, (storageKey, row) -> {
            try {
                put(database.registers(), storageKey, row, rewriting.row(StorageKey.keyOf(storageKey), row));
            } catch (MalformedCellException e) {
                rewriting.damaged();
            }
            return true;
        });
    }

    private void rewriteHints(Rewriting rewriting) throws RocksDBException {
        database.forEach(database.hints(), HintLayout.notesEnd(), null, (hintKey, value) -> {
            StoredHint hint = HintLayout.hint(hintKey, value);
            if (hint == null) {
                rewriting.damaged();
            } else {
                Cell fresh = rewriting.hint(hint.key(), hint.cell());
                put(database.hints(), hintKey, value, HintLayout.value(hint.key(), fresh));
            }
            return true;
        });
    }

    private void put(ColumnFamilyHandle family, byte[] key, byte[] before, byte[] after) {
        if (Arrays.equals(before, after)) {
            return;
        }
        try {
            batch.put(family, key, after);
            if (batch.count() >= BATCH_MAX) {
                flush();
            }
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    private void flush() throws RocksDBException {
        if (batch.count() > 0) {
            database.db().write(options, batch);
            batch.close();
            batch = new WriteBatch();
            database.sync();
        }
    }

    /** What a command has begun and not finished here, in its words. */
    public Optional<String> unfinished() {
        return unfinished(database);
    }

    static Optional<String> unfinished(RocksDatabase database) {
        try {
            return Optional.ofNullable(database.db().get(database.notes(), UNFINISHED))
                    .map(words -> new String(words, StandardCharsets.UTF_8));
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    /** From now on no node starts here, until it is finished. On the disk when this returns. */
    public void begin(String what) {
        try {
            database.db().put(database.notes(), UNFINISHED, utf8(what));
            database.sync();
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    /** On the disk when this returns. */
    public void finish() {
        try {
            database.db().delete(database.notes(), UNFINISHED);
            database.sync();
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    private static DataDirectoryException failure(RocksDBException e) {
        return new DataDirectoryException(
                "the database can't be read or written: " + e.getMessage(), "Check the disk and its free space.", e);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        batch.close();
        database.close();
        options.close();
    }
}
