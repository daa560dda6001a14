package dev.kvorum.node.storage.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvorum.node.config.Settings;
import dev.kvorum.node.config.StorageSettings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.util.unit.DataSize;

class MemorySplitTest {
    private static final long MIB = 1 << 20;

    private static MemorySplit split(long besideMib, long memoryMib, long cacheMib, long memtableMib) {
        return split(besideMib, memoryMib, cacheMib, memtableMib, 0.5);
    }

    private static MemorySplit split(long besideMib, long memoryMib, long cacheMib, long memtableMib, double drawn) {
        return MemorySplit.of(
                Settings.of(StorageSettings.class)
                        .with("memory", DataSize.ofMegabytes(memoryMib))
                        .with("blockCache", DataSize.ofMegabytes(cacheMib))
                        .with("memtable", DataSize.ofMegabytes(memtableMib))
                        .get(),
                besideMib * MIB,
                drawn);
    }

    @ParameterizedTest(name = "{0} MiB beside the heap, memory={1}, block-cache={2}, memtable={3}: {4} and two of {5}")
    @CsvSource({
        "    256,    0,   0,   0,   64,  8",
        "   1024,    0,   0,   0,  256, 32",
        "     10,    0,   0,   0,   32,  4",
        "1000000,    0,   0,   0, 1024, 64",
        "    256, 8192,   0,   0, 8192, 64",
        "    256,    0, 100,   0,  100, 12",
        "    256,    0,   0,  16,   64, 16",
        "    256,    8,  64,  16,   64, 16"
    })
    void whatIsSaidHoldsAndTheRestIsDerived(
            long beside, long memory, long cache, long memtable, long cacheThen, long memtableThen) {
        MemorySplit split = split(beside, memory, cache, memtable);

        assertThat(split.cacheBytes() / MIB).isEqualTo(cacheThen);
        assertThat(split.memtableBytes() / MIB).isEqualTo(memtableThen);
    }

    @ParameterizedTest
    @CsvSource({"10", "256", "1000", "100000"})
    void memtablesLeaveThreeQuartersOfTheCacheToBlocks(long beside) {
        MemorySplit split = split(beside, 0, 0, 0);

        assertThat(2 * split.memtableBytes()).isLessThanOrEqualTo(split.cacheBytes() / 4);
    }

    @ParameterizedTest(name = "the one that drew {0} flushes {1} of 16 MiB")
    @CsvSource({"0, 0.7", "0.5, 0.85", "1, 1"})
    void eachNodeFlushesAtASizeOfItsOwn(double drawn, double part) {
        assertThat(split(256, 0, 0, 16, drawn).flushBytes()).isCloseTo((long) (part * 16 * MIB), within(1L));
    }
}
