package dev.kvorum.node.storage.directory;

import dev.kvorum.node.storage.DataDirectoryException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The stamp of a data directory: whose it is, and what has become of its data. It is one file. All static methods block.
 *
 * @param incarnation tells this directory from any that the same member had before it
 * @param created when, in milliseconds since 1970; 0 if it does not say so
 * @param rebuilding when what the member held was set aside; 0 if it never was
 * @param incomplete before when the last of what it holds may be missing; 0 if nothing is
 */
record DirectoryStamp(UUID incarnation, long created, long rebuilding, long incomplete) {
    /** The name of the file. */
    static final String FILE = "kvorum.properties";

    private static final String CLUSTER = "cluster";
    private static final String MEMBER = "member";
    private static final String PARTITIONS = "partitions";
    private static final String INCARNATION = "incarnation";
    private static final String CREATED = "created";
    private static final String REBUILDING = "rebuilding";
    private static final String INCOMPLETE = "incomplete";

    /**
     * The owner of a directory.
     *
     * @param cluster null if the topology does not name one; then any cluster's directory will do
     */
    record Owner(@Nullable String cluster, String member, int partitions) {}

    static boolean isIn(Path directory) {
        return Files.exists(directory.resolve(FILE));
    }

    /**
     * Reads the stamp of a directory that has one.
     *
     * @throws DataDirectoryException if the directory is somebody else's, or the stamp is damaged
     */
    static DirectoryStamp read(Path directory, Owner owner) throws IOException {
        Properties stamp = properties(directory);
        String cluster = stamp.getProperty(CLUSTER);
        if (owner.cluster() != null && cluster != null && !cluster.equals(owner.cluster())) {
            throw foreign(directory, CLUSTER, cluster, owner.cluster());
        }
        require(directory, stamp, MEMBER, owner.member());
        require(directory, stamp, PARTITIONS, Integer.toString(owner.partitions()));
        return of(directory, stamp);
    }

    /** Stamps the directory anew: as another incarnation. */
    static DirectoryStamp make(Path directory, Owner owner, long created, long rebuilding) throws IOException {
        Properties stamp = new Properties();
        if (owner.cluster() != null) {
            stamp.setProperty(CLUSTER, owner.cluster());
        }
        stamp.setProperty(MEMBER, owner.member());
        stamp.setProperty(PARTITIONS, Integer.toString(owner.partitions()));
        stamp.setProperty(INCARNATION, UUID.randomUUID().toString());
        stamp.setProperty(CREATED, Long.toString(created));
        if (rebuilding != 0) {
            stamp.setProperty(REBUILDING, Long.toString(rebuilding));
        }
        write(directory, stamp);
        return of(directory, stamp);
    }

    /** Writes the same stamp with another time before which the last of the data may be missing. */
    static DirectoryStamp incompleteBefore(Path directory, long time) throws IOException {
        Properties stamp = properties(directory);
        stamp.setProperty(INCOMPLETE, Long.toString(time));
        write(directory, stamp);
        return of(directory, stamp);
    }

    /** Why the directory does not have the stamp of that incarnation; empty if it does. */
    static Optional<String> change(Path directory, UUID incarnation) throws IOException {
        try {
            String found = String.valueOf(properties(directory).getProperty(INCARNATION));
            return found.equals(incarnation.toString())
                    ? Optional.empty()
                    : Optional.of("its stamp names incarnation " + found + " instead of " + incarnation);
        } catch (NoSuchFileException e) {
            return Optional.of("its stamp, " + directory.resolve(FILE) + ", was moved or deleted");
        }
    }

    private static void require(Path directory, Properties stamp, String field, String expected) {
        String found = stamp.getProperty(field);
        if (found == null) {
            throw damaged(directory, "it has no " + field, null);
        }
        if (!found.equals(expected)) {
            throw foreign(directory, field, found, expected);
        }
    }

    private static DirectoryStamp of(Path directory, Properties stamp) {
        return new DirectoryStamp(
                incarnation(directory, stamp),
                time(directory, stamp, CREATED),
                time(directory, stamp, REBUILDING),
                time(directory, stamp, INCOMPLETE));
    }

    private static UUID incarnation(Path directory, Properties stamp) {
        try {
            return UUID.fromString(String.valueOf(stamp.getProperty(INCARNATION)));
        } catch (IllegalArgumentException e) {
            throw damaged(directory, "it has no incarnation", e);
        }
    }

    private static long time(Path directory, Properties stamp, String field) {
        try {
            return Long.parseLong(stamp.getProperty(field, "0"));
        } catch (NumberFormatException e) {
            throw damaged(directory, field + " is no number", e);
        }
    }

    private static Properties properties(Path directory) throws IOException {
        Properties stamp = new Properties();
        try (Reader reader = Files.newBufferedReader(directory.resolve(FILE))) {
            stamp.load(reader);
        } catch (IllegalArgumentException e) {
            throw damaged(directory, "it can't be parsed", e);
        }
        return stamp;
    }

    private static void write(Path directory, Properties stamp) throws IOException {
        StringWriter text = new StringWriter();
        stamp.store(text, "Whose data this is. Written by the node; not to be edited.");
        OwnerOnly.replace(directory, directory.resolve(FILE), text.toString());
    }

    private static DataDirectoryException foreign(Path directory, String field, String found, String expected) {
        return new DataDirectoryException(
                "the data directory " + directory + " belongs to " + field + " \"" + found
                        + "\", this node is started for " + field + " \"" + expected + "\"",
                "Give the node its own directory with --kvorum.data-dir, or correct the topology file or --kvorum.node-id."
                        + " If the data in it is not needed any more, empty the directory.");
    }

    private static DataDirectoryException damaged(Path directory, String how, @Nullable Throwable cause) {
        return new DataDirectoryException(
                "the stamp " + directory.resolve(FILE) + " is damaged: " + how,
                "Restore that file, or empty the directory: what it held is then only on the other replicas.",
                cause);
    }
}
