package dev.kvorum.node.storage;

import dev.kvorum.node.config.StorageSettings.Durability;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of one member's data, stamped with whose it is, so that no node ever serves another's data as its own.
 *
 * @param path where it is
 * @param incarnation tells this directory from any that the same member had before it
 * @param created when, in milliseconds since 1970; 0 if it does not say so
 * @param rebuilding when what the member held was set aside; 0 if it never was
 * @param incomplete before when the last of what it holds may be missing; 0 if nothing is
 * @param start the number of the node's start on this directory, above all before it
 */
public record DataDirectory(Path path, UUID incarnation, long created, long rebuilding, long incomplete, long start)
        implements MemberDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);
    private static final String STAMP = "kvorum.properties";
    private static final String TOPOLOGY = "topology.json";
    private static final String ALIVE = "alive";
    private static final String WITNESSED = "witnessed";
    private static final String TENURE = "tenure";
    private static final String RUNNING = "running";
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final String REBUILDING = "rebuilding";
    private static final String INCOMPLETE = "incomplete";
    private static final String CREATED = "created";
    private static final String DAMAGED = "damaged";
    private static final String STARTS = "starts";
    private static final String DATABASE = "cells";
    private static final String OPENED = "opened";

    /** Where the database lies. */
    public Path database() {
        return path.resolve(DATABASE);
    }

    /** Whether a database was opened here: then it must be here. Blocks. */
    boolean hasHadDatabase() {
        return Files.exists(path.resolve(OPENED));
    }

    /** Notes that there is a database. Blocks. */
    void noteDatabase() {
        try {
            if (!hasHadDatabase()) {
                OwnerOnly.replace(path, path.resolve(OPENED), "");
            }
        } catch (IOException e) {
            throw unwritten("that there is a database can't be noted", e);
        }
    }

    /** The note of how much of the database is on the disk. */
    Path synced() {
        return path.resolve(DATABASE + ".synced");
    }

    /**
     * Takes the directory for that member, stamping it if it is new, and counts the start. Blocks.
     *
     * @param cluster null if the topology does not name one; then any cluster's directory will do
     * @throws DataDirectoryException if it belongs to somebody else or can't be used
     */
    public static DataDirectory claim(Path path, @Nullable String cluster, String member, int partitions) {
        Path stamp = path.resolve(STAMP);
        try {
            OwnerOnly.makeDirectories(path);
            DirectoryTrial trial = new DirectoryTrial(path);
            trial.requireFree(path.resolve(DATABASE));
            trial.requireLocksAndSyncs();
            if (Files.exists(stamp)) {
                Properties known = read(path, stamp);
                verify(path, known, cluster, member, partitions);
                OwnerOnly.tighten(path); // Not before: another's files stay as they are.
                return of(path, known, countStart(path));
            }
            requireNoDatabase(path);
            OwnerOnly.tightenEmpty(path);
            Properties fresh = stamp(path, cluster, member, partitions, System.currentTimeMillis(), 0);
            return of(path, fresh, countStart(path));
        } catch (IOException e) {
            throw new DataDirectoryException(
                    "the data directory " + path + " can't be used: " + inWords(e),
                    "Check that it can be written to, or name another with --kvorum.data-dir.",
                    e);
        }
    }

    private static String inWords(IOException e) {
        if (e instanceof AccessDeniedException denied) {
            return denied.getFile() + ": Permission denied";
        }
        return e instanceof FileSystemException system && system.getReason() != null
                ? String.valueOf(system.getMessage())
                : e.toString(); // The class alone says what happened.
    }

    /**
     * Why the directory is not the one that was claimed; empty if it is. Blocks.
     *
     * @throws IOException if that can't be told
     */
    Optional<String> change() throws IOException {
        Path stamp = path.resolve(STAMP);
        try {
            String found = String.valueOf(read(path, stamp).getProperty("incarnation"));
            return found.equals(incarnation.toString())
                    ? Optional.empty()
                    : Optional.of("its stamp names incarnation " + found + " instead of " + incarnation);
        } catch (NoSuchFileException e) {
            return Optional.of("its stamp, " + stamp + ", was moved or deleted");
        }
    }

    /** The name of the database's file that was found damaged; empty if none was. Blocks. */
    Optional<String> damaged() throws IOException {
        Path file = path.resolve(DAMAGED);
        return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
    }

    /** Notes for the next start that a file of the database is damaged. Blocks. */
    void noteDamaged(String name) throws IOException {
        OwnerOnly.replace(path, path.resolve(DAMAGED), name + "\n");
    }

    /** Blocks. */
    void noteSound() throws IOException {
        Files.deleteIfExists(path.resolve(DAMAGED));
    }

    @Override
    public Optional<byte[]> lastTopology() {
        Path file = path.resolve(TOPOLOGY);
        try {
            return Files.exists(file) ? Optional.of(Files.readAllBytes(file)) : Optional.empty();
        } catch (IOException e) {
            throw damagedTopology(e);
        }
    }

    @Override
    public DataDirectoryException damagedTopology(Exception cause) {
        return new DataDirectoryException(
                "the last topology, " + path.resolve(TOPOLOGY) + ", is damaged: " + cause.getMessage(),
                "Put the topology that the other members go by into that file: GET /v0/topology of theirs shows its epoch.",
                cause);
    }

    @Override
    public void keepTopology(byte[] json) {
        try {
            OwnerOnly.replace(path, path.resolve(TOPOLOGY), new String(json, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw unwritten("the topology can't be kept", e);
        }
    }

    @Override
    public long tenure() {
        Path file = path.resolve(TENURE);
        try {
            return Files.exists(file)
                    ? Long.parseLong(CheckedNote.read(Files.readString(file)).strip())
                    : 0;
        } catch (IOException | IllegalArgumentException e) {
            throw new DataDirectoryException(
                    "the note " + file + " of the epoch since which this member has taken part is damaged: "
                            + e.getMessage(),
                    "Empty the directory: what it held is then only on the other replicas, from which it is rebuilt.",
                    e);
        }
    }

    @Override
    public void noteTenure(long epoch) {
        try {
            OwnerOnly.replace(path, path.resolve(TENURE), CheckedNote.of(epoch + "\n"));
        } catch (IOException e) {
            throw unwritten("that this member was removed can't be noted", e);
        }
    }

    /**
     * Starts are numbered by the clock, and by the last number where the clock was set back. So no two starts of a member have the same number, also where a copy of the directory is
     * put back between them. The number is on the disk when this returns.
     */
    private static long countStart(Path path) throws IOException {
        Path file = path.resolve(STARTS);
        try {
            long last =
                    Files.exists(file) ? Long.parseLong(Files.readString(file).strip()) : 0;
            long start = Math.max(last + 1, System.currentTimeMillis());
            OwnerOnly.replace(path, file, start + "\n");
            return start;
        } catch (NumberFormatException e) {
            throw new DataDirectoryException(
                    "the note " + file + " is damaged: " + e.getMessage(),
                    "Remove that file if the clock of this machine is right: starts are numbered by it.",
                    e);
        }
    }

    @Override
    public Optional<Alive> lastAlive() {
        Path file = path.resolve(ALIVE);
        try {
            return Files.exists(file) ? Optional.of(Alive.parse(Files.readString(file))) : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            throw new DataDirectoryException(
                    "the note " + file + " of when this member was last alive is damaged: " + e.getMessage(),
                    "Remove that file if the member was away for less than kvorum.repair.tombstone-grace; otherwise empty the"
                            + " directory: what it held is then only on the other replicas.",
                    e);
        }
    }

    @Override
    public void noteAlive(Alive alive) throws IOException {
        OwnerOnly.replace(path, path.resolve(ALIVE), alive + "\n");
    }

    @Override
    public Optional<String> witnessed() {
        Path file = path.resolve(WITNESSED);
        try {
            return Optional.of(CheckedNote.read(Files.readString(file)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn(
                    "The note {} of how far other members had come can't be read: {}. It is made anew",
                    file,
                    e.toString());
            return Optional.empty();
        }
    }

    @Override
    public void noteWitnessed(String note) throws IOException {
        OwnerOnly.replace(path, path.resolve(WITNESSED), CheckedNote.of(note));
    }

    @Override
    public long usableBytes() throws IOException {
        return Files.getFileStore(path).getUsableSpace();
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
            Properties fresh = stamp(path, cluster, member, partitions, now, now);
            if (!Files.notExists(database())) { // A disk that fails must not keep the old one in its place.
                Files.move(database(), aside(now), StandardCopyOption.ATOMIC_MOVE);
                OwnerOnly.forceDirectory(path);
            }
            Files.deleteIfExists(synced()); // Until both are gone, the empty directory counts as a loss.
            Files.deleteIfExists(path.resolve(OPENED));
            return of(path, fresh, start);
        } catch (IOException e) {
            throw new DataDirectoryException(
                    "the database in " + path + " can't be moved aside: " + e,
                    "Check the rights on the directory, or empty it: what it held is then only on the other replicas.",
                    e);
        }
    }

    /**
     * Whether the machine has stopped while a node ran here that acknowledged writes before they were on the disk. A power cut does that, a crash of the kernel, and a disk that was
     * moved to another machine. Then the last writes may be missing. False where the system does not say so. Blocks.
     */
    public boolean wasCutOff() {
        try {
            String[] note = Files.readString(path.resolve(RUNNING)).strip().split(" ", -1);
            boolean syncsEachWrite = note.length == 2 && note[1].equals(Durability.FSYNC.name());
            Optional<String> boot = bootId();
            if (boot.isEmpty()) {
                LOG.warn("Whether the machine has stopped without notice can't be told: there is no {}", BOOT_ID);
            }
            return boot.isPresent() && !syncsEachWrite && !boot.get().equals(note[0]);
        } catch (NoSuchFileException e) {
            return false; // The last one has ended in order.
        } catch (IOException e) {
            LOG.warn("Whether the machine has stopped without notice can't be told: {}", e.toString());
            return false;
        }
    }

    private static Optional<String> bootId() throws IOException {
        return Files.exists(BOOT_ID) ? Optional.of(Files.readString(BOOT_ID).strip()) : Optional.empty();
    }

    /** Notes that a node runs here from now on. Blocks. */
    public void noteRunning(Durability durability) {
        try {
            OwnerOnly.replace(path, path.resolve(RUNNING), bootId().orElse("unknown") + " " + durability + "\n");
        } catch (IOException e) {
            throw unwritten("that a node runs can't be noted", e);
        }
    }

    /** Notes that all is on the disk, and nothing more is written. Blocks. */
    void noteEnded() {
        try {
            Files.deleteIfExists(path.resolve(RUNNING));
        } catch (IOException e) {
            LOG.warn(
                    "That this node has ended can't be noted: {}. Should the machine stop now, its data is compared with the others",
                    e.toString());
        }
    }

    /**
     * From now on what it holds counts as incomplete until it was compared with the other owners. Blocks.
     *
     * @param now a time after all that was acknowledged here, in milliseconds since 1970; whatever it is, what counted as incomplete before does so again
     * @return the directory as it is then: the same incarnation, which is incomplete
     */
    public DataDirectory becomeIncomplete(long now) {
        Path stamp = path.resolve(STAMP);
        try {
            Properties known = read(path, stamp);
            known.setProperty(INCOMPLETE, Long.toString(Math.max(now, Math.max(rebuilding, incomplete) + 1)));
            write(path, known);
            return of(path, known, start);
        } catch (IOException e) {
            throw unwritten("that the data is incomplete can't be noted", e);
        }
    }

    private DataDirectoryException unwritten(String what, IOException cause) {
        return new DataDirectoryException(
                what + " in " + path + ": " + cause, "Check the disk and its free space.", cause);
    }

    /** Where {@link #setAside} moves the database. */
    public Path aside(long now) {
        return path.resolve(DATABASE + "-until-" + now);
    }

    private static DataDirectory of(Path path, Properties stamp, long start) {
        return new DataDirectory(
                path,
                incarnation(path, stamp),
                time(path, stamp, CREATED),
                time(path, stamp, REBUILDING),
                time(path, stamp, INCOMPLETE),
                start);
    }

    private static void verify(Path path, Properties stamp, @Nullable String cluster, String member, int partitions) {
        String stampedCluster = stamp.getProperty("cluster");
        if (cluster != null && stampedCluster != null && !stampedCluster.equals(cluster)) {
            throw foreign(path, "cluster", stampedCluster, cluster);
        }
        require(path, stamp, "member", member);
        require(path, stamp, "partitions", Integer.toString(partitions));
    }

    private static void require(Path path, Properties stamp, String field, String expected) {
        String found = stamp.getProperty(field);
        if (found == null) {
            throw damaged(path, "it has no " + field, null);
        }
        if (!found.equals(expected)) {
            throw foreign(path, field, found, expected);
        }
    }

    private static DataDirectoryException foreign(Path path, String field, String found, String expected) {
        return new DataDirectoryException(
                "the data directory " + path + " belongs to " + field + " \"" + found + "\", this node is started for "
                        + field + " \"" + expected + "\"",
                "Give the node its own directory with --kvorum.data-dir, or correct the topology file or --kvorum.node-id."
                        + " If the data in it is not needed any more, empty the directory.");
    }

    private static UUID incarnation(Path path, Properties stamp) {
        try {
            return UUID.fromString(String.valueOf(stamp.getProperty("incarnation")));
        } catch (IllegalArgumentException e) {
            throw damaged(path, "it has no incarnation", e);
        }
    }

    private static long time(Path path, Properties stamp, String field) {
        try {
            return Long.parseLong(stamp.getProperty(field, "0"));
        } catch (NumberFormatException e) {
            throw damaged(path, field + " is no number", e);
        }
    }

    private static DataDirectoryException damaged(Path path, String how, @Nullable Throwable cause) {
        return new DataDirectoryException(
                "the stamp " + path.resolve(STAMP) + " is damaged: " + how,
                "Restore that file, or empty the directory: what it held is then only on the other replicas.",
                cause);
    }

    private static void requireNoDatabase(Path path) {
        if (Files.exists(path.resolve(DATABASE))) {
            throw new DataDirectoryException(
                    "the data directory " + path + " holds a database but no stamp that says whose it is",
                    "Restore " + STAMP
                            + " beside it, or empty the directory: what it held is then only on the other replicas.");
        }
    }

    private static Properties read(Path directory, Path stamp) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(stamp)) {
            properties.load(reader);
        } catch (IllegalArgumentException e) {
            throw damaged(directory, "it can't be parsed", e);
        }
        return properties;
    }

    /** Stamps the directory anew: as another incarnation. */
    private static Properties stamp(
            Path path, @Nullable String cluster, String member, int partitions, long created, long rebuilding)
            throws IOException {
        Properties properties = new Properties();
        if (cluster != null) {
            properties.setProperty("cluster", cluster);
        }
        properties.setProperty("member", member);
        properties.setProperty("partitions", Integer.toString(partitions));
        properties.setProperty("incarnation", UUID.randomUUID().toString());
        properties.setProperty(CREATED, Long.toString(created));
        if (rebuilding != 0) {
            properties.setProperty(REBUILDING, Long.toString(rebuilding));
        }
        write(path, properties);
        return properties;
    }

    private static void write(Path path, Properties stamp) throws IOException {
        StringWriter text = new StringWriter();
        stamp.store(text, "Whose data this is. Written by the node; not to be edited.");
        OwnerOnly.replace(path, path.resolve(STAMP), text.toString());
    }
}
