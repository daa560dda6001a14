package dev.kvorum.node.storage.rocks;

import com.sun.management.OperatingSystemMXBean;
import dev.kvorum.node.config.StorageSettings;
import java.lang.management.ManagementFactory;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.util.unit.DataSize;

/**
 * How the memory given to RocksDB is used. Memtables are charged to the block cache, so that its size bounds both.
 *
 * @param cacheBytes the block cache, with what the memtables take of it
 * @param memtableBytes one memtable at most; two exist
 * @param flushBytes when the cells' memtable is full. Each node draws its own, and two may be near each other: replicas hold the same writes, and would otherwise all
 *     be busy with a flush at the same instant, when no quorum can do without one of them
 */
record MemorySplit(long cacheBytes, long memtableBytes, long flushBytes) {
    private static final long MIB = 1 << 20;
    private static final long DERIVED_MIN = 32 * MIB;
    private static final long DERIVED_MAX = 1024 * MIB; // More is taken only from who asks for it.
    private static final long MEMTABLE_MAX = 64 * MIB;
    // Of a memtable: a smaller part would make more and smaller files, and with a greater one more flushes would
    // coincide.
    private static final double FLUSH_MIN = 0.7;

    /** For the memory of this machine or container. */
    static MemorySplit of(StorageSettings settings) {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long beside = system.getTotalMemorySize() - Runtime.getRuntime().maxMemory();
        return of(settings, beside, ThreadLocalRandom.current().nextDouble());
    }

    /**
     * @param beside bytes of memory beside the heap; a quarter of them is taken unless a setting says otherwise
     * @param drawn this node's part, 0 to 1, of what the size of a flush varies by
     */
    static MemorySplit of(StorageSettings settings, long beside, double drawn) {
        long memory = or(settings.memory(), Math.clamp(beside / 4, DERIVED_MIN, DERIVED_MAX));
        long cache = or(settings.blockCache(), memory);
        long memtable = or(settings.memtable(), Math.clamp(cache / 8, MIB, MEMTABLE_MAX));
        return new MemorySplit(cache, memtable, (long) (memtable * (FLUSH_MIN + (1 - FLUSH_MIN) * drawn)));
    }

    private static long or(DataSize said, long derived) {
        return said.toBytes() == 0 ? derived : said.toBytes();
    }

    @Override
    public String toString() {
        return cacheBytes / MIB + " MiB of block cache, which two memtables of " + memtableBytes / MIB
                + " MiB are charged to; those of the cells are full at " + flushBytes / 1024 + " KiB";
    }
}
