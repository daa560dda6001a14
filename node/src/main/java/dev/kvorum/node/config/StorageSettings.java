package dev.kvorum.node.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * RocksDB, and the queue before it.
 *
 * @param durability what an acknowledged write survives: async (the crash of the process; of the machine all but the last
 *     sync-interval) or fsync (the crash of the machine).
 * @param syncInterval how often the log is brought to the disk, 1ms to 1m, and at most a quarter of kvorum.clock.ahead-max.
 * @param logKept how long the log of the last changes is kept, 0s to 1h, and at most 1 GB or a sixteenth of the disk: a member whose machine lost power
 *     copies the end from the others' logs. 0 keeps none: such a member compares all of its data.
 * @param queue how many operations may wait for a storage thread, 2 to 1048576; one more is refused with 503, and so is a write where those that wait take a
 *     quarter of the heap.
 * @param readThreads threads that read, 1 to 64.
 * @param memory memory for RocksDB, 0 or 8MB to 1TB; 0 takes a quarter of what the machine or container has beside the heap, from 32MB to
 *     1GB.
 * @param blockCache memory for blocks of files, 0 or 1MB to 1TB; the memtables are charged to it. 0 takes all of memory.
 * @param memtable memory that gathers writes before they become a file, 0 or 1MB to 1GB; at most two exist. 0 takes an eighth of the
 *     block cache, at most 64MB. That of the cells is full at 70 to 100 % of it, which each node draws when it starts.
 * @param backgroundJobs flushes and compactions at a time, 1 to 64.
 * @param openFiles files that RocksDB may keep open, -1 for all, 0, or 16 to 1000000; 0 takes a quarter of those that the process may open (ulimit -n), at most 1024.
 */
@ConfigurationProperties("kvorum.storage")
public record StorageSettings(
        @DefaultValue("async") Durability durability,
        @DefaultValue("100ms") Duration syncInterval,
        @DefaultValue("3m") Duration logKept,
        @DefaultValue("4096") int queue,
        @DefaultValue("1") int readThreads,
        @DefaultValue("0B") DataSize memory,
        @DefaultValue("0B") DataSize blockCache,
        @DefaultValue("0B") DataSize memtable,
        @DefaultValue("2") int backgroundJobs,
        @DefaultValue("0") int openFiles) {
    /** What an acknowledged write survives. */
    public enum Durability {
        /** The crash of the process; of the machine, all but what the last sync interval wrote. */
        ASYNC,
        /** The crash of the machine. */
        FSYNC
    }

    public StorageSettings {
        Require.range("kvorum.storage.sync-interval", syncInterval, Duration.ofMillis(1), Duration.ofMinutes(1));
        Require.range("kvorum.storage.log-kept", logKept, Duration.ZERO, Duration.ofHours(1));
        Require.range("kvorum.storage.queue", queue, 2, 1 << 20);
        Require.range("kvorum.storage.read-threads", readThreads, 1, 64);
        Require.zeroOrRange("kvorum.storage.memory", memory, DataSize.ofMegabytes(8), DataSize.ofTerabytes(1));
        Require.zeroOrRange("kvorum.storage.block-cache", blockCache, DataSize.ofMegabytes(1), DataSize.ofTerabytes(1));
        Require.zeroOrRange("kvorum.storage.memtable", memtable, DataSize.ofMegabytes(1), DataSize.ofGigabytes(1));
        Require.range("kvorum.storage.background-jobs", backgroundJobs, 1, 64);
        if (openFiles != -1) {
            Require.zeroOrRange("kvorum.storage.open-files", openFiles, 16, 1_000_000);
        }
    }

    /** As RocksDB understands it: -1 for all. */
    public int openFilesMax() {
        return openFiles == 0 ? (int) filesOf(ProcessFiles.max()) : openFiles;
    }

    /** What is set aside for RocksDB of the files that a process may open: half of them, if it may keep all its files open. */
    long filesOf(long process) {
        return switch (openFiles) {
            case -1 -> process / 2;
            case 0 -> Math.clamp(process / 4, 16, 1024);
            default -> openFiles;
        };
    }
}
