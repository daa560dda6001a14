package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.node.cell.Key;
import dev.kvorum.node.storage.StorageKey;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Against a real database. */
@Timeout(60)
class FoldingTest {
    private static final byte[] KEY = {0, 7, 'k'};
    private static final int SEED = 17;

    @TempDir
    Path directory;

    private RocksDatabase database;

    @BeforeEach
    void open() {
        database = RocksDatabase.open(directory, SmallStore.settings());
    }

    @AfterEach
    void close() {
        database.close();
    }

    private int foldsOf(Folding folding, int batches) throws RocksDBException {
        int folds = 0;
        for (int i = 0; i < batches; i++) {
            try (WriteBatch batch = new WriteBatch()) {
                if (folding.isDue(KEY)) {
                    folding.fold(batch, List.of(KEY));
                }
                folds += batch.count();
            }
        }
        return folds;
    }

    private void merge(byte[] cell) throws RocksDBException {
        try (WriteBatch batch = new WriteBatch();
                WriteOptions options = new WriteOptions()) {
            batch.merge(database.cells(), KEY, cell);
            database.db().write(options, batch);
        }
    }

    @Test
    void keyIsFoldedAsOftenAsIsAskedFor() throws RocksDBException {
        merge(new byte[100]);

        int folds = foldsOf(new Folding(database, 16, new SplittableRandom(SEED)), 16_000);

        assertThat(folds).isBetween(900, 1100);
    }

    @Test
    void keysThatAreWrittenInTurnAreHardlyEverFolded() throws RocksDBException {
        Folding folding = new Folding(database, 16, new SplittableRandom(SEED));
        int keys = 10_000;
        int folds = 0;
        for (int i = 0; i < 3 * keys; i++) {
            byte[] key = StorageKey.of(7, Key.of("key-" + i % keys));
            try (WriteBatch batch = new WriteBatch();
                    WriteOptions options = new WriteOptions()) {
                if (folding.isDue(key)) {
                    folding.fold(batch, List.of(key));
                }
                folds += batch.count();
                batch.merge(database.cells(), key, cell(1));
                database.db().write(options, batch);
            }
        }

        assertThat(folds).isLessThan(3 * keys / 16 / 10);
    }

    @Test
    void twoKeysThatShareAPlaceAndAreWrittenInTurnAreBothFolded() throws RocksDBException {
        Folding folding = new Folding(database, 16, new SplittableRandom(SEED));
        byte[][] keys = {{0, 7, 10, 10}, {0, 7, 18, 18}}; // Their hashes are 256 apart: they share a place.
        int[] folds = new int[2];
        for (int i = 0; i < 3200; i++) {
            try (WriteBatch batch = new WriteBatch();
                    WriteOptions options = new WriteOptions()) {
                if (folding.isDue(keys[i % 2])) {
                    folding.fold(batch, List.of(keys[i % 2]));
                }
                folds[i % 2] += batch.count();
                batch.merge(database.cells(), keys[i % 2], cell(1));
                database.db().write(options, batch);
            }
        }

        assertThat(folds[0]).isGreaterThan(50);
        assertThat(folds[1]).isGreaterThan(50);
    }

    @Test
    void keyThatIsNotThereIsNotFolded() throws RocksDBException {
        assertThat(foldsOf(new Folding(database, 1, new SplittableRandom(SEED)), 2))
                .isZero();
    }

    /** Both in one batch: what it merges does not lose to what it has put before. */
    @Test
    void newestOfTheBatchWinsOverWhatIsFolded() throws RocksDBException {
        Folding always = new Folding(database, 1, new SplittableRandom(SEED));
        merge(cell(2));

        for (int version : new int[] {3, 1}) {
            try (WriteBatch batch = new WriteBatch();
                    WriteOptions options = new WriteOptions()) {
                if (always.isDue(KEY)) {
                    always.fold(batch, List.of(KEY));
                }
                if (always.isDue(KEY)) {
                    always.fold(batch, List.of(KEY));
                }
                batch.merge(database.cells(), KEY, cell(version));
                batch.merge(database.cells(), KEY, cell(1));
                database.db().write(options, batch);
            }
        }

        assertThat(database.read(KEY)).isEqualTo(cell(3));
    }

    private static byte[] cell(int version) {
        byte[] bytes = new byte[100];
        bytes[0] = (byte) version;
        return bytes;
    }
}
