package dev.kvorum.e2e.overload;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import dev.kvorum.e2e.TestCluster;
import dev.kvorum.e2e.client.Quorum;
import dev.kvorum.e2e.cluster.ClusterSpec;
import dev.kvorum.e2e.cluster.Node;
import dev.kvorum.e2e.traffic.Tally;
import dev.kvorum.e2e.traffic.Traffic;
import dev.kvorum.e2e.traffic.TrafficPlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Half a GiB for each container and no swap: heap, RocksDB and all the rest are derived from that, and stay in it, with the JVM of the health check beside. */
class MemoryLimitE2E {
    /** Of 512. What files hold, as the AOT cache, the system can take back; the rest is for the health check's JVM and for sockets. */
    private static final long ANONYMOUS_MIB_MAX = 420;

    private static final int VALUE_BYTES = 200_000;
    private static final Duration LONG = Duration.ofSeconds(25);
    private static final int SERVED_MIN = 500;
    private static final int LOOKS_MAX = 5; // Of so long each; one is enough but on the slowest of machines.

    @RegisterExtension
    static final TestCluster cluster = TestCluster.of(ClusterSpec.ofNodes(3).withHealthChecks());

    @Test
    void nodesStayInTheirMemoryUnderLargeValuesAndManyClients() {
        List<String> startsBefore = starts();
        TrafficPlan plan = TrafficPlan.calm("memory-", Quorum.MAJORITY_OF_3)
                .withClients(48)
                .withRate(4_000)
                .withKeys(2_000)
                .withWrites(60)
                .withValuesOf(VALUE_BYTES);

        Tally tally;
        Map<Node, Long> peaks = new ConcurrentHashMap<>();
        try (Traffic traffic = Traffic.start(cluster.get(), plan)) {
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                cluster.get()
                        .nodes()
                        .forEach(
                                node -> threads.execute(() -> peaks.put(node, peakUntilEnoughIsServed(node, traffic))));
            } // When the last has looked.
            tally = traffic.stop();
        }

        assertThat(served(tally)).as("%s", tally).isGreaterThan(SERVED_MIN);
        assertThat(starts()).isEqualTo(startsBefore);
        for (Node node : cluster.get().nodes()) {
            ContainerState state = node.state();
            assertThat(state.getRunning()).as("%s: %s", node, state).isTrue();
            assertThat(state.getOOMKilled()).as("%s: %s", node, state).isFalse();
            System.out.println(node + ": " + peaks.get(node) + " MiB in no file at most, " + node.residentMib()
                    + " MiB resident in the end, after " + tally);
            assertThat(peaks.get(node)).isLessThan(ANONYMOUS_MIB_MAX);
        }
    }

    private static long peakUntilEnoughIsServed(Node node, Traffic traffic) {
        long peak = node.anonymousPeakMib(LONG);
        for (int look = 1; look < LOOKS_MAX && served(traffic.tally()) <= SERVED_MIN; look++) {
            peak = Math.max(peak, node.anonymousPeakMib(LONG));
        }
        return peak;
    }

    private static int served(Tally tally) {
        return tally.of(200) + tally.of(201);
    }

    private static List<String> starts() {
        return cluster.get().nodes().stream()
                .map(node -> String.valueOf(node.state().getStartedAt()))
                .toList();
    }
}
