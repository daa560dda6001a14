package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.config.StorageSettings;
import dev.kvorum.node.config.StorageSettings.Durability;
import dev.kvorum.node.storage.LostDataException;
import dev.kvorum.node.storage.StorageKey;
import dev.kvorum.node.storage.directory.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import org.springframework.util.FileSystemUtils;

/** What a crash leaves of a database, and what somebody or something has done to it before the next start. */
class LostDataTest {
    private static final int PARTITION = 7;
    private static final int WRITES = 50;

    @TempDir
    Path parent;

    private DataDirectory directory;

    @BeforeEach
    void claim() {
        directory = DataDirectory.claim(parent.resolve("data"), "demo", "n1", 256);
    }

    private static RocksStore open(DataDirectory of, Durability durability) {
        StorageSettings settings = SmallStore.settings(durability, Duration.ofMinutes(1), 4096);
        return RocksStore.open(of, 0, settings, SmallStore.hints(), SmallStore.host());
    }

    private static Cell cell(int number) {
        return Draft.ofValue(new byte[200]).stamp(key(number), new Version(number + 1, 1), 3);
    }

    private static Key key(int number) {
        return Key.of("key-" + number);
    }

    private static void write(RocksStore store, int number) {
        store.write(PARTITION, key(number), cell(number)).block();
    }

    /** The directory as it is found after the process was killed in the middle of its work. */
    private DataDirectory killed(Durability durability) throws IOException {
        Path image = parent.resolve("image");
        try (RocksStore store = open(directory, durability)) {
            for (int i = 0; i < WRITES; i++) {
                write(store, i);
            }
            FileSystemUtils.copyRecursively(directory.path(), image);
        }
        return DataDirectory.claim(image, "demo", "n1", 256);
    }

    private static Path log(DataDirectory of) throws IOException {
        return files(of, name -> name.endsWith(".log")).getLast();
    }

    private static List<Path> files(DataDirectory of, Predicate<String> named) throws IOException {
        try (Stream<Path> all = Files.list(of.database())) {
            return all.filter(path -> named.test(path.getFileName().toString()))
                    .sorted()
                    .toList();
        }
    }

    private static void assertLost(DataDirectory of, String how) {
        assertThatThrownBy(() -> open(of, Durability.FSYNC))
                .isInstanceOf(LostDataException.class)
                .hasMessageContaining(how);
    }

    @Test
    void databaseIsWholeAfterAKill() throws IOException {
        assertWhole(killed(Durability.FSYNC));
    }

    @Test
    void flippedBitInTheMiddleOfTheLogIsALoss() throws IOException {
        DataDirectory killed = killed(Durability.FSYNC);
        byte[] log = Files.readAllBytes(log(killed));
        log[log.length / 2] ^= 4;
        Files.write(log(killed), log);

        assertLost(killed, "has lost the last");
    }

    /** The very last write was acknowledged as well. */
    @Test
    void flippedBitInTheLastSyncedWriteIsALoss() throws IOException {
        DataDirectory killed = killed(Durability.FSYNC);
        byte[] log = Files.readAllBytes(log(killed));
        log[log.length - 5] ^= 4;
        Files.write(log(killed), log);

        assertLost(killed, "has lost the last");
    }

    @Test
    void missingLogIsALoss() throws IOException {
        DataDirectory killed = killed(Durability.FSYNC);
        Files.delete(log(killed));

        assertLost(killed, "no WAL files");
    }

    /** What was never synced was never acknowledged as synced. */
    @Test
    void tornEndOfWhatWasNotSyncedIsNoLoss() throws IOException {
        DataDirectory killed = killed(Durability.ASYNC); // Nothing syncs, as nobody has asked for its clock's notes.
        byte[] log = Files.readAllBytes(log(killed));
        Files.write(log(killed), Arrays.copyOf(log, log.length - 100));

        try (RocksStore store = open(killed, Durability.ASYNC)) {
            assertThat(store.read(PARTITION, key(0)).block()).isNotNull();
            assertThat(store.read(PARTITION, key(WRITES - 1)).block()).isNull();
        }
    }

    /**
     * A log is continued in another file before the end of the first is on the disk. A power cut may take that end and leave what came later, which must not be there alone: what a node knows after a
     * crash is what it knew at one moment.
     */
    @Test
    void whatFollowsAMissingEndOfTheLogIsNotThereEither() throws IOException, RocksDBException {
        Path image = parent.resolve("image");
        long synced;
        try (RocksDatabase database =
                RocksDatabase.open(directory.database(), directory.synced(), true, SmallStore.settings())) {
            directory.noteDatabase();
            database.sync();
            put(database, 0);
            synced = Files.size(log(directory));
            put(database, 1);
            FileSystemUtils.copyRecursively(directory.path(), image); // Before anything is flushed.
            try (FlushOptions flush = new FlushOptions()) {
                database.db().flush(flush, database.notes()); // Begins another log.
            }
            put(database, 2);
            Path next = log(directory);
            Files.copy(next, image.resolve(directory.path().relativize(next)));
        }
        DataDirectory cut = DataDirectory.claim(image, "demo", "n1", 256);
        List<Path> logs = files(cut, name -> name.endsWith(".log"));
        assertThat(logs).hasSize(2);
        Files.write(logs.getFirst(), Arrays.copyOf(Files.readAllBytes(logs.getFirst()), (int) synced));

        try (RocksStore store = open(cut, Durability.ASYNC)) {
            assertThat(store.read(PARTITION, key(0)).block()).isNotNull();
            assertThat(store.read(PARTITION, key(1)).block()).isNull();
            assertThat(store.read(PARTITION, key(2)).block()).isNull();
        }
    }

    private static void put(RocksDatabase database, int number) throws RocksDBException {
        database.db()
                .put(
                        database.cells(),
                        StorageKey.of(PARTITION, key(number)),
                        cell(number).bytes());
    }

    @Test
    void missingDatabaseIsALoss() throws IOException {
        DataDirectory killed = killed(Durability.FSYNC);
        FileSystemUtils.deleteRecursively(killed.database());

        assertLost(killed, "is gone");
    }

    @Test
    void databaseOfAnotherDirectoryIsALoss() throws IOException {
        DataDirectory killed = killed(Durability.FSYNC);
        DataDirectory other = DataDirectory.claim(parent.resolve("other"), "demo", "n1", 256);
        open(other, Durability.FSYNC).close();
        FileSystemUtils.deleteRecursively(killed.database());
        FileSystemUtils.copyRecursively(other.database(), killed.database());

        assertLost(killed, "is not the one that this member has used");
    }

    @Test
    void olderCopyOfTheDatabaseIsALoss() throws IOException {
        open(directory, Durability.FSYNC).close();
        Path older = parent.resolve("older");
        FileSystemUtils.copyRecursively(directory.database(), older);
        DataDirectory killed = killed(Durability.FSYNC);
        FileSystemUtils.deleteRecursively(killed.database());
        FileSystemUtils.copyRecursively(older, killed.database());

        assertLost(killed, "has lost the last");
    }

    @Test
    void damagedOrMissingManifestIsALoss() throws IOException {
        DataDirectory killed = killed(Durability.FSYNC);
        Path manifest = files(killed, name -> name.startsWith("MANIFEST")).getLast();
        byte[] bytes = Files.readAllBytes(manifest);
        bytes[bytes.length / 2] ^= 4;
        Files.write(manifest, bytes);
        assertLost(killed, "is damaged");

        Files.delete(manifest);
        assertLost(killed, "is damaged");
    }

    /** A power cut leaves it torn, or longer than what was written of it. */
    @Test
    void unsyncedEndOfTheManifestIsNoLoss() throws IOException {
        DataDirectory killed = killed(Durability.FSYNC);
        Path manifest = files(killed, name -> name.startsWith("MANIFEST")).getLast();
        byte[] synced = Files.readAllBytes(manifest);
        Path other = parent.resolve("other");
        FileSystemUtils.copyRecursively(killed.path(), other);

        Files.write(manifest, Arrays.copyOf(synced, synced.length + 100));
        assertWhole(killed);

        byte[] torn = Arrays.copyOf(synced, synced.length + 50);
        System.arraycopy(synced, 0, torn, synced.length, 50); // The beginning of a record.
        Files.write(other.resolve(killed.path().relativize(manifest)), torn);
        assertWhole(DataDirectory.claim(other, "demo", "n1", 256));
    }

    /** A start reads them, some of them only when the store is open. */
    @Test
    void damagedTableOfNotesIsALoss() throws IOException {
        Random random = new Random(1);
        try (RocksStore store = open(directory, Durability.FSYNC)) {
            for (int i = 0; i < 100; i++) {
                byte[] note = new byte[1000];
                random.nextBytes(note);
                store.notes().note("zz-" + i, note).block();
            }
        }
        open(directory, Durability.FSYNC).close(); // What the log had is in tables now.
        Path table = files(directory, name -> name.endsWith(".sst")).stream()
                .max(Comparator.comparingLong(path -> path.toFile().length()))
                .orElseThrow();
        byte[] bytes = Files.readAllBytes(table);
        bytes[bytes.length / 2] ^= 1;
        Files.write(table, bytes);

        assertLost(directory, "is damaged");
    }

    @Test
    void directoryThatIsSetAsideBeginsAnew() throws IOException {
        DataDirectory killed = killed(Durability.FSYNC);
        Files.delete(log(killed));
        assertLost(killed, "is damaged");

        DataDirectory fresh = killed.setAside(1234, "demo", "n1", 256);

        try (RocksStore store = open(fresh, Durability.FSYNC)) {
            assertThat(store.read(PARTITION, key(0)).block()).isNull();
            write(store, 0);
        }
        open(DataDirectory.claim(fresh.path(), "demo", "n1", 256), Durability.FSYNC)
                .close();
    }

    /** As by a command that takes all whose name begins so. */
    @Test
    void databaseThatIsGoneTogetherWithItsNoteIsALoss() throws IOException {
        DataDirectory killed = killed(Durability.FSYNC);
        FileSystemUtils.deleteRecursively(killed.database());
        Files.delete(killed.synced());

        assertLost(killed, "is gone");
    }

    /** A healthy database is not thrown away for a note that is damaged. */
    @Test
    void noteThatIsDamagedLeavesTheDatabaseAsItIs() throws IOException {
        DataDirectory killed = killed(Durability.FSYNC);
        byte[] note = Files.readAllBytes(killed.synced());
        note[70] = '9';
        Files.write(killed.synced(), note);
        assertWhole(killed);

        Files.writeString(killed.synced(), "nonsense");
        assertWhole(killed);
    }

    private static void assertWhole(DataDirectory of) {
        try (RocksStore store = open(of, Durability.FSYNC)) {
            assertThat(store.read(PARTITION, key(WRITES - 1)).block()).isNotNull();
        }
    }
}
