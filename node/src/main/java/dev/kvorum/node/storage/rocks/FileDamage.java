package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.storage.directory.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a file of the database is damaged:
 *
 * <pre>
 * a read tells of damage        the file is verified; the node says that it is damaged if it is, or if it was intact {@value #MISREADS_MAX} times in a row
 * it is damaged                 the directory remembers that; the file is verified again every {@value #AGAIN_MINUTES} minutes
 * it is intact, or replaced     nothing is said any more
 * </pre>
 *
 * <p>Damage that names no file stays until the process ends.
 *
 * <p>One thread at a time, which may block; any thread may ask what is said.
 */
final class FileDamage {
    static final int AGAIN_MINUTES = 10;
    static final int MISREADS_MAX = 3;
    private static final Logger LOG = LoggerFactory.getLogger(FileDamage.class);
    private static final Pattern TABLE = Pattern.compile("[0-9]+\\.sst");

    private final RocksDatabase database;
    private final DataDirectory directory;
    private final LongSupplier nanos;
    private volatile @Nullable Found found;
    private volatile @Nullable BooleanSupplier hasOthers; // Null until somebody knows.
    private String misread = ""; // The last file that was intact, though a read had told of damage.
    private int misreads;
    private long verifiedAt;

    /**
     * Damage that was found.
     *
     * @param file empty if none was named
     * @param canPass whether a verification that finds nothing takes it back
     */
    private record Found(String file, String name, String how, boolean canPass) {}

    FileDamage(RocksDatabase database, DataDirectory directory, LongSupplier nanos) {
        this.database = database;
        this.directory = directory;
        this.nanos = nanos;
    }

    /** @param others whether other members hold what this one does */
    void become(BooleanSupplier others) {
        hasOthers = others;
    }

    boolean isSo() {
        return found != null;
    }

    /** What is damaged, and the remedy. */
    Optional<String> inWords() {
        Found now = found;
        return now == null
                ? Optional.empty()
                : Optional.of(now.name + " is damaged: " + now.how + ". " + remedy()
                        + " See \"A damaged file\" in docs/operations.md.");
    }

    /** To throw the only copy away is what nobody may be told. */
    private String remedy() {
        BooleanSupplier others = hasOthers;
        String refill = "move its data directory " + directory.path()
                + " away and start it with an empty one: it is filled from";
        if (others == null) {
            return "Stop this node. If other members hold its data (replicationFactor above 1), " + refill
                    + " them. If it has the only copy, keep the directory, and restore what is damaged from a backup.";
        }
        return others.getAsBoolean()
                ? "Stop this node, " + refill + " the other members."
                : "This node has the only copy of its data: keep its data directory " + directory.path()
                        + ". Stop the node, and restore what is damaged from a backup.";
    }

    /** Verifies the file that a former life has noted. */
    void recall() {
        try {
            Optional<String> file = directory.damaged();
            if (file.isEmpty()) {
                return;
            }
            String how = damage(database.directory().resolve(file.get()));
            if (how == null) {
                directory.noteSound();
            } else {
                find(file.get(), how, true);
            }
        } catch (IOException e) {
            LOG.error("Whether a file of the database was damaged can't be read", e);
        }
    }

    /**
     * A read, or RocksDB's own work, tells of damage.
     *
     * @return false if the file is intact: what was read was wrong, and may be right the next time
     */
    boolean accuse(RocksDBException e) {
        if (isSo()) {
            return true;
        }
        String message = String.valueOf(e.getMessage());
        Matcher table = TABLE.matcher(message);
        if (!table.find()) {
            find("", message, false);
            return true;
        }
        String file = table.group();
        try {
            String how = damage(database.directory().resolve(file));
            if (how == null) {
                return isMisreadTooOften(file, message);
            }
            note(file);
            find(file, how, true);
        } catch (IOException unverified) {
            LOG.warn("{}", unverified.getMessage(), unverified);
            note(file);
            find(file, message, true);
        }
        return true;
    }

    private boolean isMisreadTooOften(String file, String message) {
        misreads = file.equals(misread) ? misreads + 1 : 1;
        misread = file;
        if (misreads >= MISREADS_MAX) {
            find(file, message + ", though its blocks have their checksums", false);
            return true;
        }
        LOG.warn(
                "The file {} is intact, though a read has told of damage: {}. Memory or the disk was wrong once; if this happens again, replace it",
                file,
                message);
        return false;
    }

    /**
     * Looks at the damaged file again, if it is time to.
     *
     * @return its name, if it is intact now or was replaced; empty otherwise
     */
    Optional<String> passed() {
        Found now = found;
        if (now == null || now.file.isEmpty() || !(isReplaced(now.file) || isIntactNow(now))) {
            return Optional.empty();
        }
        try {
            directory.noteSound();
        } catch (IOException e) {
            LOG.warn("That {} is not damaged any more can't be noted in {}", now.file, directory.path(), e);
        }
        found = null;
        misreads = 0;
        LOG.info("{} is intact now, or was replaced", now.name);
        return Optional.of(now.file);
    }

    /** A file that is missing only is no better. */
    private boolean isReplaced(String file) {
        try {
            return Files.notExists(database.directory().resolve(file))
                    && database.ask(() -> database.familyOf(file)).isEmpty();
        } catch (IllegalStateException e) {
            LOG.debug("The database can't be asked for its files", e); // It is being opened again.
            return false;
        }
    }

    private boolean isIntactNow(Found now) {
        if (!now.canPass
                || nanos.getAsLong() - verifiedAt
                        < Duration.ofMinutes(AGAIN_MINUTES).toNanos()) {
            return false;
        }
        verifiedAt = nanos.getAsLong();
        Path file = database.directory().resolve(now.file);
        try {
            return Files.exists(file) && damage(file) == null;
        } catch (IOException e) {
            LOG.debug("The damaged file can't be verified", e);
            return false;
        }
    }

    /**
     * How a file is damaged; null if it is not, or not there any more. As reads see it, and as the disk has it.
     *
     * @throws IOException if that can't be told now
     */
    private static @Nullable String damage(Path file) throws IOException {
        if (Files.notExists(file)) {
            return null;
        }
        try {
            RocksChecks.verify(file, false);
            RocksChecks.verifyOnDisk(file);
            return null;
        } catch (RocksDBException e) {
            if (DiskFailure.isDamage(e)) {
                return String.valueOf(e.getMessage());
            }
            if (Files.notExists(file)) {
                return null;
            }
            throw new IOException("The file " + file + " was found damaged once, and can't be verified now", e);
        }
    }

    private void note(String file) {
        try {
            directory.noteDamaged(file);
        } catch (IOException cause) {
            LOG.error("That {} is damaged can't be noted in {}", file, directory.path(), cause);
        }
    }

    private void find(String file, String how, boolean canPass) {
        String name = file.isEmpty()
                ? "The database in " + database.directory()
                : "The file " + database.directory().resolve(file) + " (column family " + family(file) + ")";
        verifiedAt = nanos.getAsLong();
        found = new Found(file, name, how, canPass);
        LOG.error("{}", inWords().orElse(""));
    }

    private String family(String file) {
        try {
            return database.ask(() -> database.familyOf(file)).orElse("unknown");
        } catch (IllegalStateException e) {
            LOG.debug("The database can't be asked for its files", e);
            return "unknown";
        }
    }
}
