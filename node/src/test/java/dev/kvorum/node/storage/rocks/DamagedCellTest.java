package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.node.cell.Cell;
import dev.kvorum.node.cell.DamagedCellException;
import dev.kvorum.node.cell.Draft;
import dev.kvorum.node.cell.Key;
import dev.kvorum.node.cell.Version;
import dev.kvorum.node.storage.CallingLoop;
import dev.kvorum.node.storage.KeyRange;
import dev.kvorum.node.storage.RegisterStep;
import dev.kvorum.node.storage.ScanLimit;
import dev.kvorum.node.storage.StorageKey;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import reactor.core.publisher.Mono;

/** Cells whose bytes were changed under way to the disk, with all checksums of RocksDB right. */
@Timeout(60)
class DamagedCellTest {
    private static final int P = 7;
    private static final Key GOOD = Key.of("good");
    private static final Key BAD = Key.of("bad");

    @TempDir
    Path directory;

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final List<Mono<Boolean>> removals = new ArrayList<>();
    private boolean isKnown;
    private RocksStore store;

    @BeforeEach
    void damage() throws RocksDBException {
        try (RocksDatabase database = RocksDatabase.open(directory, SmallStore.settings())) {
            byte[] bad = cell(BAD).bytes().clone();
            bad[Cell.HEADER_BYTES] ^= 1;
            database.db().put(database.cells(), StorageKey.of(P, BAD), bad);
            database.db()
                    .put(database.cells(), StorageKey.of(P, GOOD), cell(GOOD).bytes());
        }
        store = RocksStore.open(directory, SmallStore.settings(), SmallStore.hints(), CallingLoop.NONE, meters);
        store.whenDamaged((partition, key, removal) -> {
            assertThat(partition).isEqualTo(P);
            assertThat(key).isEqualTo(BAD);
            removals.add(removal);
            return isKnown;
        });
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static Cell cell(Key key) {
        return Draft.ofValue(new byte[] {1, 2, 3}).stamp(key, new Version(5, 1), 3);
    }

    private double corruptions() {
        return meters.get("kvorum.storage.corruptions").counter().count();
    }

    private List<Key> scan() {
        List<Key> seen = new ArrayList<>();
        var _ = store.partitions()
                .scan(KeyRange.of(P), ScanLimit.PAGE, (key, cell) -> seen.add(key))
                .block();
        return seen;
    }

    @Test
    void isNeitherReadNorAbsent() {
        assertThatThrownBy(() -> store.read(P, BAD).block()).isInstanceOf(DamagedCellException.class);

        assertThat(corruptions()).isOne();
        assertThat(removals).hasSize(1);
        assertThat(store.read(P, GOOD).block()).isEqualTo(cell(GOOD));
        assertThat(store.isFailing()).as("the disk serves all others").isFalse();
    }

    @Test
    void endsAWalkThatCouldTakeItForAbsent() {
        assertThatThrownBy(this::scan).isInstanceOf(DamagedCellException.class);

        assertThat(store.isFailing()).isFalse();
    }

    @Test
    void isPassedOverWhereThePartitionIsKnownToLackSomething() {
        isKnown = true;

        assertThat(scan()).containsExactly(GOOD);
    }

    @Test
    void isRemovedWhereItIsStillStored() {
        assertThatThrownBy(this::scan).isInstanceOf(DamagedCellException.class);

        assertThat(removals.getFirst().block()).isTrue();

        assertThat(store.read(P, BAD).block()).isNull();
        assertThat(removals.getFirst().block()).isFalse();
    }

    @Test
    void failsAStepOfARegister() {
        assertThatThrownBy(() -> store.registers()
                        .step(P, BAD, state -> RegisterStep.none(true))
                        .block())
                .isInstanceOf(DamagedCellException.class);

        assertThat(corruptions()).isOne();
        assertThat(removals).hasSize(1);
        assertThat(store.isFailing()).as("the disk serves all others").isFalse();
    }
}
