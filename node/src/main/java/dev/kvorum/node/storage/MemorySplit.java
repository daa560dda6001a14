package dev.kvorum.node.storage;

import com.sun.management.OperatingSystemMXBean;
import dev.kvorum.node.config.StorageSettings;
import java.lang.management.ManagementFactory;
import org.springframework.util.unit.DataSize;

/**
 * How the memory given to RocksDB is used. Memtables are charged to the block cache, so that its size bounds both.
 *
 * @param cacheBytes the block cache, with what the memtables take of it
 * @param memtableBytes one memtable; at most two exist
 */
record MemorySplit(long cacheBytes, long memtableBytes) {
    private static final long MIB = 1 << 20;
    private static final long DERIVED_MIN = 32 * MIB;
    private static final long DERIVED_MAX = 1024 * MIB; // More is taken only from who asks for it.
    private static final long MEMTABLE_MAX = 64 * MIB;

    /** For the memory of this machine or container. */
    static MemorySplit of(StorageSettings settings) {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return of(settings, system.getTotalMemorySize() - Runtime.getRuntime().maxMemory());
    }

    /** @param beside bytes of memory beside the heap; a quarter of them is taken unless a setting says otherwise */
    static MemorySplit of(StorageSettings settings, long beside) {
        long memory = or(settings.memory(), Math.clamp(beside / 4, DERIVED_MIN, DERIVED_MAX));
        long cache = or(settings.blockCache(), memory);
        return new MemorySplit(cache, or(settings.memtable(), Math.clamp(cache / 8, MIB, MEMTABLE_MAX)));
    }

    private static long or(DataSize said, long derived) {
        return said.toBytes() == 0 ? derived : said.toBytes();
    }

    @Override
    public String toString() {
        return cacheBytes / MIB + " MiB of block cache, which two memtables of " + memtableBytes / MIB
                + " MiB are charged to";
    }
}
