package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.config.Settings;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.storage.DataDirectoryException;
import dev.kvorum.node.storage.directory.DataDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** All that a node keeps, while it is stopped: nobody else can open it meanwhile. All methods block. One thread. */
public final class StoppedStore implements AutoCloseable {
    /** While this note is there, a command has not finished its work on the store. */
    private static final byte[] UNFINISHED = utf8("unfinished");
    /** The commands that have finished theirs, a line each. */
    private static final byte[] FINISHED = utf8("finished");

    private final RocksDatabase database;

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
        requireOwner(directory, path);
        return new StoppedStore(RocksDatabase.open(
                path,
                DataDirectory.syncedIn(directory),
                false,
                Settings.of(StorageSettings.class).get()));
    }

    /** Else the node could not open the files that are made here. The directory itself may be another's, as that of a volume in Kubernetes: the node's are its files. */
    private static void requireOwner(Path directory, Path database) {
        try {
            UserPrincipal node = Files.getOwner(database.resolve(RocksDatabase.CURRENT));
            Path tried = Files.createTempFile(directory, "owner", null);
            boolean isOwn = Files.getOwner(tried).equals(node);
            Files.delete(tried);
            if (!isOwn) {
                throw new DataDirectoryException(
                        "the database in " + directory + " belongs to another user, " + node,
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

    /** Shows all to it, and changes nothing. */
    public void look(Rewriting rewriting) {
        walk(rewriting, RewritePosition.FIRST, false);
    }

    /** Goes through all that earlier calls since {@link #begin} have not rewritten: each entry is rewritten once. Killed in between, it has done a part; {@link #unfinished} tells. */
    public void rewrite(Rewriting rewriting) {
        byte @Nullable [] position = unfinished().isEmpty() ? null : note(database, RewritePosition.NOTE);
        walk(rewriting, position == null ? RewritePosition.FIRST : RewritePosition.of(position), true);
    }

    private void walk(Rewriting rewriting, RewritePosition from, boolean writes) {
        try (RewritingWalk walk = new RewritingWalk(database, rewriting, from, writes)) {
            walk.run();
        } catch (RocksDBException e) {
            throw RocksDatabase.failure(e);
        }
    }

    /** What a command has begun and not finished here, in its words. */
    public Optional<String> unfinished() {
        return unfinished(database);
    }

    static Optional<String> unfinished(RocksDatabase database) {
        return Optional.ofNullable(note(database, UNFINISHED)).map(StoppedStore::words);
    }

    /** What commands have finished here since the data directory is there, in their words, the first one first. */
    public List<String> finished() {
        return finished(database);
    }

    static List<String> finished(RocksDatabase database) {
        byte @Nullable [] lines = note(database, FINISHED);
        return lines == null ? List.of() : words(lines).lines().toList();
    }

    /** From now on no node starts here, until it is finished. On the disk when this returns. */
    public void begin(String what) {
        commit(batch -> {
            batch.put(database.notes(), UNFINISHED, utf8(what));
            batch.delete(database.notes(), RewritePosition.NOTE);
        });
    }

    /** What was begun is finished. On the disk when this returns. */
    public void finish() {
        String lines = Stream.concat(finished().stream(), unfinished().stream()).collect(Collectors.joining("\n"));
        commit(batch -> {
            batch.delete(database.notes(), UNFINISHED);
            batch.delete(database.notes(), RewritePosition.NOTE);
            batch.put(database.notes(), FINISHED, utf8(lines));
        });
    }

    private interface Changes {
        void addTo(WriteBatch batch) throws RocksDBException;
    }

    private void commit(Changes changes) {
        try (WriteBatch batch = new WriteBatch();
                WriteOptions options = new WriteOptions()) {
            changes.addTo(batch);
            database.db().write(options, batch);
            database.sync();
        } catch (RocksDBException e) {
            throw RocksDatabase.failure(e);
        }
    }

    private static byte @Nullable [] note(RocksDatabase database, byte[] name) {
        try {
            return database.db().get(database.notes(), name);
        } catch (RocksDBException e) {
            throw RocksDatabase.failure(e);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String words(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        database.close();
    }
}
