package dev.kvorum.node.storage.directory;

import dev.kvorum.node.config.StorageSettings.Durability;
import dev.kvorum.node.storage.DataDirectoryException;
import dev.kvorum.node.storage.MemberDirectory;
import dev.kvorum.node.storage.directory.DirectoryStamp.Owner;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one member's data, stamped with whose it is, so that no node ever serves another's data as its own. Beside the database it has the stamp, the member's notes, the note
 * that a node runs, and what is known of the database. All methods that read or write block.
 */
public final class DataDirectory implements MemberDirectory {
    private static final String DATABASE = "cells";
    private static final String OPENED = "opened";
    private static final String DAMAGED = "damaged";

    private final Path path;
    private final DirectoryStamp stamp;
    private final MemberNotes notes;
    private final RunningNote running;
    private final long formerlyIncomplete;
    private final long start;

    private DataDirectory(Path path, DirectoryStamp stamp, long formerlyIncomplete, MemberNotes notes, long start) {
        this.path = path;
        this.stamp = stamp;
        this.formerlyIncomplete = formerlyIncomplete;
        this.notes = notes;
        this.start = start;
        this.running = new RunningNote(path);
    }

    /**
     * Takes the directory for that member, stamping it if it is new, and counts the start. Blocks.
     *
     * @param cluster null if the topology does not name one; then any cluster's directory will do
     * @throws DataDirectoryException if it belongs to somebody else or can't be used
     */
    public static DataDirectory claim(Path path, @Nullable String cluster, String member, int partitions) {
        Owner owner = new Owner(cluster, member, partitions);
        try {
            OwnerOnly.makeDirectories(path);
            DirectoryTrial trial = new DirectoryTrial(path);
            trial.requireFree(path.resolve(DATABASE));
            trial.requireLocksAndSyncs();
            DirectoryStamp stamp = DirectoryStamp.isIn(path) ? known(path, owner) : fresh(path, owner);
            MemberNotes notes = new MemberNotes(path);
            return new DataDirectory(path, stamp, stamp.incomplete(), notes, notes.countStart());
        } catch (IOException e) {
            throw new DataDirectoryException(
                    "the data directory " + path + " can't be used: " + inWords(e),
                    "Check that it can be written to, or name another with --kvorum.data-dir.",
                    e);
        }
    }

    private static DirectoryStamp known(Path path, Owner owner) throws IOException {
        DirectoryStamp stamp = DirectoryStamp.read(path, owner);
        OwnerOnly.tighten(path); // Not before: another's files stay as they are.
        return stamp;
    }

    private static DirectoryStamp fresh(Path path, Owner owner) throws IOException {
        if (Files.exists(path.resolve(DATABASE))) {
            throw new DataDirectoryException(
                    "the data directory " + path + " holds a database but no stamp that says whose it is",
                    "Restore " + DirectoryStamp.FILE
                            + " beside it, or empty the directory: what it held is then only on the other replicas.");
        }
        OwnerOnly.tightenEmpty(path);
        return DirectoryStamp.make(path, owner, System.currentTimeMillis(), 0);
    }

    private static String inWords(IOException e) {
        if (e instanceof AccessDeniedException denied) {
            return denied.getFile() + ": Permission denied";
        }
        return e instanceof FileSystemException system && system.getReason() != null
                ? String.valueOf(system.getMessage())
                : e.toString(); // The class alone says what happened.
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    /** Where the database lies. */
    public Path database() {
        return databaseIn(path);
    }

    /** Where the database of a data directory lies. */
    public static Path databaseIn(Path path) {
        return path.resolve(DATABASE);
    }

    /** The note of how much of the database is on the disk. */
    public Path synced() {
        return syncedIn(path);
    }

    /** Where the note lies of how much of a data directory's database is on the disk. */
    public static Path syncedIn(Path path) {
        return path.resolve(DATABASE + ".synced");
    }

    /** Where {@link #setAside} moves the database. */
    public Path aside(long now) {
        return path.resolve(DATABASE + "-until-" + now);
    }

    /** Whether a database was opened here: then it must be here. Blocks. */
    public boolean hasHadDatabase() {
        return Files.exists(path.resolve(OPENED));
    }

    /** Notes that there is a database. Blocks. */
    public void noteDatabase() {
        try {
            if (!hasHadDatabase()) {
                OwnerOnly.replace(path, path.resolve(OPENED), "");
            }
        } catch (IOException e) {
            throw DataDirectoryException.unwritten("that there is a database can't be noted", path, e);
        }
    }

    /** The name of the database's file that was found damaged; empty if none was. Blocks. */
    public Optional<String> damaged() throws IOException {
        Path file = path.resolve(DAMAGED);
        return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
    }

    /** Notes for the next start that a file of the database is damaged. Blocks. */
    public void noteDamaged(String name) throws IOException {
        OwnerOnly.replace(path, path.resolve(DAMAGED), name + "\n");
    }

    /** Notes that no file of the database is damaged. Blocks. */
    public void noteSound() throws IOException {
        Files.deleteIfExists(path.resolve(DAMAGED));
    }

    /**
     * Why the directory is not the one that was claimed; empty if it is. Blocks.
     *
     * @throws IOException if that can't be told
     */
    public Optional<String> change() throws IOException {
        return DirectoryStamp.change(path, stamp.incarnation());
    }

    /**
     * Moves the database aside, where nobody uses it, and makes this a directory that has none. Blocks.
     *
     * @param now what tells it from others that were moved aside, in milliseconds since 1970
     * @return the directory as it is then: another incarnation, that rebuilds
     */
    public DataDirectory setAside(long now, @Nullable String cluster, String member, int partitions) {
        try {
            // First: whatever happens next, nobody takes an empty database for what the member has acknowledged.
            DirectoryStamp fresh = DirectoryStamp.make(path, new Owner(cluster, member, partitions), now, now);
            if (!Files.notExists(database())) { // A disk that fails must not keep the old one in its place.
                Files.move(database(), aside(now), StandardCopyOption.ATOMIC_MOVE);
                OwnerOnly.forceDirectory(path);
            }
            Files.deleteIfExists(synced()); // Until both are gone, the empty directory counts as a loss.
            Files.deleteIfExists(path.resolve(OPENED));
            return new DataDirectory(path, fresh, fresh.incomplete(), notes, start);
        } catch (IOException e) {
            throw new DataDirectoryException(
                    "the database in " + path + " can't be moved aside: " + e,
                    "Check the rights on the directory, or empty it: what it held is then only on the other replicas.",
                    e);
        }
    }

    /**
     * From now on what it holds counts as incomplete until it was compared with the other owners. Blocks.
     *
     * @param now a time after all that was acknowledged here, in milliseconds since 1970; whatever it is, what counted as incomplete before does so again
     * @return the directory as it is then: the same incarnation, which is incomplete
     */
    public DataDirectory becomeIncomplete(long now) {
        try {
            long before = Math.max(now, Math.max(rebuilding(), incomplete()) + 1);
            return new DataDirectory(path, DirectoryStamp.incompleteBefore(path, before), incomplete(), notes, start);
        } catch (IOException e) {
            throw DataDirectoryException.unwritten("that the data is incomplete can't be noted", path, e);
        }
    }

    @Override
    public String place() {
        return path.toString();
    }

    /** {@inheritDoc} Blocks. */
    @Override
    public boolean wasCutOff() {
        return running.wasCutOff();
    }

    /** Notes that a node runs here from now on. Blocks. */
    public void noteRunning(Durability durability) {
        running.write(durability);
    }

    /** Notes that all is on the disk, and nothing more is written. Blocks. */
    public void noteEnded() {
        running.remove();
    }

    @Override
    public UUID incarnation() {
        return stamp.incarnation();
    }

    @Override
    public long created() {
        return stamp.created();
    }

    @Override
    public long rebuilding() {
        return stamp.rebuilding();
    }

    @Override
    public long incomplete() {
        return stamp.incomplete();
    }

    @Override
    public long formerlyIncomplete() {
        return formerlyIncomplete;
    }

    @Override
    public long start() {
        return start;
    }

    @Override
    public Optional<byte[]> lastTopology() {
        return notes.lastTopology();
    }

    @Override
    public DataDirectoryException damagedTopology(Exception cause) {
        return notes.damagedTopology(cause);
    }

    @Override
    public void keepTopology(byte[] json) {
        notes.keepTopology(json);
    }

    @Override
    public long tenure() {
        return notes.tenure();
    }

    @Override
    public void noteTenure(long epoch) {
        notes.noteTenure(epoch);
    }

    @Override
    public Optional<Alive> lastAlive() {
        return notes.lastAlive();
    }

    @Override
    public void noteAlive(Alive alive) throws IOException {
        notes.noteAlive(alive);
    }

    @Override
    public Optional<String> witnessed() {
        return notes.witnessed();
    }

    @Override
    public void noteWitnessed(String note) throws IOException {
        notes.noteWitnessed(note);
    }

    @Override
    public long usableBytes() throws IOException {
        return Files.getFileStore(path).getUsableSpace();
    }
}
