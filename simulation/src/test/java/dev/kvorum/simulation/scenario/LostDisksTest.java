package dev.kvorum.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.Answer;
import dev.kvorum.history.Copy;
import dev.kvorum.simulation.disk.SimulatedDisk.Stamp;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A disk that was lost is replaced by an empty one, which the topology does not name. */
class LostDisksTest {
    private static final String KEY = "k";

    /** Two replicas have the write, and one of them loses it: the third and the emptied one would be a quorum that has nothing. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void emptyDiskAnswersNoReadBeforeItIsRebuilt(long seed) {
        Scenario scenario = new Scenario(seed, 3, id -> Stamp.incarnation(id, 0));
        scenario.cluster.kill("n3");
        assertThat(scenario.write("n1", KEY, "kept", 2, 3).isOk()).isTrue();
        scenario.cluster.loseDisk("n1");
        scenario.cluster.kill("n2");

        scenario.cluster.start("n1");
        scenario.cluster.start("n3");
        Answer alone = scenario.read("n3", KEY, 2, 3);
        scenario.cluster.start("n2");
        scenario.pass(Duration.ofSeconds(30));

        assertThat(alone.isOk()).isFalse();
        assertThat(scenario.read("n3", KEY, 2, 3).value()).isEqualTo("kept");
        assertThat(scenario.cluster.copies(List.of(KEY)).stream().map(Copy::value))
                .containsExactly("kept", "kept", "kept");
    }
}
