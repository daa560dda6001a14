package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.StoreChecks.Checked;
import dev.kvorum.node.storage.StoreChecks.StoredFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a disk has changed behind the back of the store. */
@Timeout(60)
class RocksChecksTest {
    private static final int PARTITION = 3;
    private static final Key FIRST = Key.of("first");
    private static final Key OTHER = Key.of("other");

    @TempDir
    Path directory;

    private void write(RocksStore store, Key key, long version) {
        store.write(PARTITION, key, Draft.ofValue(new byte[] {1}).stamp(key, new Version(version, 1), 3))
                .block();
    }

    /** As a restart does: what was in memory becomes a file. */
    private void flush() {
        try (RocksDatabase database = RocksDatabase.open(directory, SmallStore.settings())) {
            database.db().flush(new org.rocksdb.FlushOptions().setWaitForFlush(true), database.cells());
        } catch (org.rocksdb.RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<StoredFile> files(RocksStore store) {
        return Objects.requireNonNull(store.checks().files().block());
    }

    private static boolean isIntact(RocksStore store, StoredFile file) {
        return Objects.requireNonNull(store.checks().isIntact(file).block());
    }

    private void flipABit(StoredFile file) throws IOException {
        Path path = directory.resolve(file.name());
        byte[] bytes = Files.readAllBytes(path);
        bytes[10] ^= 1; // In the first block of data.
        Files.write(path, bytes);
    }

    @Test
    void intactFilesAreFoundIntactAndThoseThatAreGoneAreNoDamage() {
        try (RocksStore store = SmallStore.open(directory)) {
            write(store, FIRST, 1);
        }
        flush();
        try (RocksStore store = SmallStore.open(directory)) {
            assertThat(files(store)).isNotEmpty().allMatch(file -> isIntact(store, file));
            assertThat(isIntact(store, new StoredFile(999_999, "999999.sst", 10)))
                    .isTrue();
        }
    }

    @Test
    void damagedBlockIsFoundThoughItsCellsAreInMemoryAndNobodyReadsThem() throws IOException {
        try (RocksStore store = SmallStore.open(directory)) {
            write(store, FIRST, 1);
        }
        flush();
        try (RocksStore store = SmallStore.open(directory)) {
            assertThat(store.read(PARTITION, FIRST).block()).isNotNull(); // Its block is in the cache now.
            StoredFile hit = files(store).getFirst();

            flipABit(hit);

            assertThat(store.read(PARTITION, FIRST).block())
                    .as("from the cache")
                    .isNotNull();
            assertThat(isIntact(store, hit)).isFalse();
        }
    }

    @Test
    void damagedCellsAreToldPassedOverAndCounted() {
        try (RocksStore store = SmallStore.open(directory)) {
            write(store, FIRST, 1);
            write(store, OTHER, 1);
        }
        StoredBytes.change(directory, FIRST, bytes -> {
            bytes[Cell.HEADER_BYTES] ^= 1;
            return bytes;
        });
        List<Key> told = new ArrayList<>();
        List<Key> intact = new ArrayList<>();
        try (RocksStore store = SmallStore.open(directory)) {
            store.whenDamaged((partition, key, removal) -> {
                told.add(key);
                return false; // As where this is the only copy: a scan would end here.
            });

            Checked checked = Objects.requireNonNull(store.checks()
                    .cells(KeyRange.of(PARTITION), ScanLimit.PAGE, (key, cell) -> intact.add(key))
                    .block());

            assertThat(checked.damaged()).isOne();
            assertThat(checked.scanned().isWhole()).isTrue();
            assertThat(told).containsExactly(FIRST);
            assertThat(intact).containsExactly(OTHER);
        }
    }
}
