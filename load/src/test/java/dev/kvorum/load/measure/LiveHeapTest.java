package dev.kvorum.load.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.measure.NodeSample.Told;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LiveHeapTest {
    private static final double MIB = 1024 * 1024;

    @Test
    void bytesAliveAreThoseOfTheHistogramsLastLine() {
        List<String> histogram = """
                4711:
                 num     #instances         #bytes  class name (module)
                -------------------------------------------------------
                   1:         75201        5103440  [B (java.base@25)
                   2:             1             24  example.TotalRecall
                Total         75202        5103464
                """.lines().toList();

        assertThat(LiveHeap.total(histogram)).hasValue(5_103_464);
        assertThat(LiveHeap.total(histogram.subList(0, 5))).isEmpty();
    }

    @Test
    void nativeMemoryIsWhatIsResidentAndNoHeap() {
        Map<String, Double> metrics = Map.of(
                "jvm_memory_used_bytes.heap",
                40 * MIB,
                "jvm_memory_committed_bytes.heap",
                64 * MIB,
                "jvm_gc_pause_seconds_sum",
                0.5,
                "kvorum_rocksdb_memtables_bytes",
                3 * MIB,
                "kvorum_rocksdb_block_cache_bytes",
                4 * MIB,
                "kvorum_peer_connections_opened_total",
                6.0,
                "kvorum_replica_cancelled_total",
                8.0,
                "kvorum_read_hedges_sent_total",
                9.0);

        NodeSample sample =
                new NodeSample("n1", 0, 0, 300, 0, 0, Told.of(metrics).orElseThrow());

        assertThat(sample.nativeMiB()).contains(236.0);
        assertThat(sample.told()).isEqualTo(new Told(40, 64, 500, 7.0, 6.0, 8.0, 9.0));
        assertThat(Told.of(Map.of())).isEmpty();
        assertThat(new NodeSample("n1", 0, 0, 300, 0, 0, null).nativeMiB()).isEqualTo(Optional.empty());
    }
}
