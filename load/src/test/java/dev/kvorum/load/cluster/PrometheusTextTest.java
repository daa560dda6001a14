package dev.kvorum.load.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrometheusTextTest {
    @Test
    void sumsOverLabelsButTellsAreasAndEndsApart() {
        String text = """
                # HELP jvm_memory_used_bytes The amount of used memory
                # TYPE jvm_memory_used_bytes gauge
                jvm_memory_used_bytes{area="heap",id="Eden Space"} 100.0
                jvm_memory_used_bytes{area="heap",id="Tenured Gen"} 2.5E2
                jvm_memory_used_bytes{area="nonheap",id="Metaspace"} 7.0
                jvm_gc_pause_seconds_sum{action="minor",cause="Allocation Failure"} 0.25
                jvm_gc_pause_seconds_sum{action="major",cause="System.gc()"} 0.5
                kvorum_client_waits_seconds_max{application="kvorum",end="refused"} 0.05
                kvorum_client_waits_seconds_max{application="kvorum",end="served"} 0.04
                process_uptime_seconds 12.5
                """;

        assertThat(PrometheusText.sums(text))
                .containsEntry("jvm_memory_used_bytes.heap", 350.0)
                .containsEntry("jvm_memory_used_bytes.nonheap", 7.0)
                .containsEntry("kvorum_client_waits_seconds_max.refused", 0.05)
                .containsEntry("jvm_gc_pause_seconds_sum", 0.75)
                .containsEntry("process_uptime_seconds", 12.5);
    }
}
