package dev.kvorum.load.measure;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a node held at some moment.
 *
 * @param atMillis    since the epoch
 * @param cpuMicros   user and system time since the process began
 * @param rssMiB      resident memory
 * @param told        what it told of itself; null where it was not asked
 */
public record NodeSample(
        String node,
        long atMillis,
        long cpuMicros,
        double rssMiB,
        int threads,
        int descriptors,
        @Nullable Told told) {

    /**
     * By its metrics.
     *
     * @param heapMiB      used Java heap, garbage included
     * @param committedMiB Java heap that the JVM has taken from the system
     * @param gcMillis     pauses of the collector since the process began
     * @param rocksdbMiB   memtables and block cache of RocksDB; null if it does not tell
     * @param connectionsOpened to other nodes since the process began; null if it does not tell
     * @param calledOff    calls to replicas whose answer was not needed any more, since then; null if it does not tell
     * @param hedges       reads sent to one more replica because another was late, since then; null if it does not tell
     */
    public record Told(
            double heapMiB,
            double committedMiB,
            double gcMillis,
            @Nullable Double rocksdbMiB,
            @Nullable Double connectionsOpened,
            @Nullable Double calledOff,
            @Nullable Double hedges) {
        private static final double MIB = 1024 * 1024;

        /** Empty if it does not tell of its heap. */
        static Optional<Told> of(Map<String, Double> metrics) {
            Double heap = metrics.get("jvm_memory_used_bytes.heap");
            Double committed = metrics.get("jvm_memory_committed_bytes.heap");
            if (heap == null || committed == null) {
                return Optional.empty();
            }
            Double memtables = metrics.get("kvorum_rocksdb_memtables_bytes");
            Double blocks = metrics.get("kvorum_rocksdb_block_cache_bytes");
            return Optional.of(new Told(
                    heap / MIB,
                    committed / MIB,
                    1000 * metrics.getOrDefault("jvm_gc_pause_seconds_sum", 0.0), // Not there before the first pause.
                    memtables == null || blocks == null ? null : (memtables + blocks) / MIB,
                    metrics.get("kvorum_peer_connections_opened_total"),
                    metrics.get("kvorum_replica_cancelled_total"),
                    metrics.get("kvorum_read_hedges_sent_total")));
        }
    }

    /** Resident memory that is no Java heap, if all of that is resident: what RocksDB, Netty, threads, code and the JVM itself take. */
    public Optional<Double> nativeMiB() {
        return Optional.ofNullable(told).map(told -> rssMiB - told.committedMiB());
    }
}
