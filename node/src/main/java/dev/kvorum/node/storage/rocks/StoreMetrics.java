package dev.kvorum.node.storage.rocks;

import dev.kvorum.node.cell.RecentLength;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What the store counts, and what RocksDB tells of itself when asked. */
final class StoreMetrics {
    private static final Map<String, String> ROCKSDB = Map.of(
            "kvorum.rocksdb.keys.estimated", "rocksdb.estimate-num-keys",
            "kvorum.rocksdb.memtables.full", "rocksdb.num-immutable-mem-table",
            "kvorum.rocksdb.memtables.bytes", "rocksdb.cur-size-all-mem-tables",
            "kvorum.rocksdb.block.cache.bytes", "rocksdb.block-cache-usage",
            "kvorum.rocksdb.files.bytes", "rocksdb.total-sst-files-size",
            "kvorum.rocksdb.compaction.pending.bytes", "rocksdb.estimate-pending-compaction-bytes",
            "kvorum.rocksdb.compactions.running", "rocksdb.num-running-compactions",
            "kvorum.rocksdb.flushes.running", "rocksdb.num-running-flushes",
            "kvorum.rocksdb.writes.stopped", "rocksdb.is-write-stopped");

    private final MeterRegistry meters;
    private final DistributionSummary commits;
    private final Counter refused;
    private final Counter spared;
    private final Counter fromMemory;
    private final Counter fromDisk;

    StoreMetrics(MeterRegistry meters) {
        this.meters = meters;
        this.commits = DistributionSummary.builder("kvorum.storage.commit.writes")
                .description("Writes that shared one commit")
                .register(meters);
        this.refused = Counter.builder("kvorum.storage.refused")
                .description("Reads and writes refused because the queue was full")
                .register(meters);
        this.spared = Counter.builder("kvorum.storage.reads.spared")
                .description("Reads cancelled before they began")
                .register(meters);
        this.fromMemory = reads("memory");
        this.fromDisk = reads("disk");
    }

    private Counter reads(String from) {
        return Counter.builder("kvorum.storage.reads")
                .description(
                        "Reads answered from memory by the thread that asked, and those that a storage thread read")
                .tag("from", from)
                .register(meters);
    }

    void watch(
            RocksDatabase database,
            BatchWorker<?> writer,
            WaitingBytes waiting,
            List<? extends BatchWorker<?>> readers,
            RecentLength recent) {
        Gauge.builder("kvorum.storage.read.recent.bytes", recent, RecentLength::bytes)
                .description(
                        "Length of recent answers, a moving average; while they are long, storage threads read them")
                .baseUnit("bytes")
                .register(meters);
        Gauge.builder("kvorum.storage.queue.bytes", waiting, WaitingBytes::get)
                .description("Bytes of the writes that wait for the storage thread")
                .baseUnit("bytes")
                .register(meters);
        queue("write", writer, BatchWorker::waiting);
        queue(
                "read",
                readers,
                all -> all.stream().mapToInt(BatchWorker::waiting).sum());
        ROCKSDB.forEach((name, property) -> Gauge.builder(name, database, db -> db.property(property))
                .description(property)
                .register(meters));
    }

    private <T> void queue(String operation, T queue, ToDoubleFunction<T> waiting) {
        Gauge.builder("kvorum.storage.queue", queue, waiting)
                .description("Operations that wait for the storage threads")
                .tag("operation", operation)
                .register(meters);
    }

    void committed(int writes) {
        commits.record(writes);
    }

    void refused() {
        refused.increment();
    }

    void readFromMemory() {
        fromMemory.increment();
    }

    void readFromDisk() {
        fromDisk.increment();
    }

    void readSpared() {
        spared.increment();
    }
}
