package dev.kvorum.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.topology.Topology;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines find a published topology seconds apart; meanwhile those that have it teach it to the rest, by the calls between them. */
class EpochsTest {
    private static final int REQUESTS = 40;

    private static Topology next(Topology present) {
        return new Topology(
                present.cluster(),
                present.epoch() + 1,
                present.replicationFactor(),
                present.partitions(),
                present.members());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noRequestFailsWhileAnEpochIsPublished(long seed) {
        Scenario scenario = new Scenario(seed, 3);
        scenario.cluster.publish(next(scenario.cluster.topology()));

        for (int i = 0; i < REQUESTS; i++) {
            String key = "k" + i;
            assertThat(scenario.write(node(i), key, "apples", 3, 3).isOk())
                    .as("write %d", i)
                    .isTrue();
            assertThat(scenario.read(node(i + 1), key, 3, 3).value()).isEqualTo("apples");
            scenario.pass(Duration.ofMillis(100));
        }
    }

    private static String node(int i) {
        return "n" + (1 + i % 3);
    }
}
