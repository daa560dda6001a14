package dev.kvorum.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.Copy;
import dev.kvorum.simulation.disk.SimulatedDisk.Stamp;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members that decide by the rule of real ones whether they start: {@link dev.kvorum.node.core.Arrival}. */
class RefusedStartsTest {
    private static final String KEY = "k";
    private static final Duration TOLD = Duration.ofSeconds(3); // So that others remember how far disks have come.

    private static Scenario three(long seed) {
        Scenario scenario = new Scenario(seed, 3, id -> Stamp.incarnation(id, 0));
        scenario.pass(TOLD);
        return scenario;
    }

    /** Together the two disks may hold what neither holds alone. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void olderCopyIsNotSetAsideWhileAnotherIsRebuilt(long seed) {
        Scenario scenario = three(seed);
        scenario.cluster.copyDisk("n3");
        assertThat(scenario.write("n1", KEY, "kept", 3, 3).isOk()).isTrue();
        scenario.pass(TOLD);
        scenario.cluster.kill("n3");
        scenario.cluster.loseDisk("n2");
        scenario.cluster.start("n2"); // It is not rebuilt before it was compared with all.

        scenario.cluster.putBackDisk("n3");
        scenario.pass(Duration.ofSeconds(30));
        assertThat(scenario.cluster.isAnyRefused()).isTrue();

        scenario.cluster.emptyRefused();
        scenario.pass(Duration.ofSeconds(30));
        assertThat(scenario.cluster.isAnyRefused()).isFalse();
        assertThat(scenario.cluster.copies(List.of(KEY)).stream().map(Copy::value))
                .containsExactly("kept", "kept", "kept");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void olderCopyIsSetAsideBesideMembersThatAreWhole(long seed) {
        Scenario scenario = three(seed);
        scenario.cluster.copyDisk("n3");
        assertThat(scenario.write("n1", KEY, "kept", 3, 3).isOk()).isTrue();
        scenario.pass(TOLD);

        scenario.cluster.putBackDisk("n3");
        scenario.pass(Duration.ofSeconds(30));

        assertThat(scenario.cluster.isAnyRefused()).isFalse();
        assertThat(scenario.cluster.copies(List.of(KEY)).stream().map(Copy::value))
                .containsExactly("kept", "kept", "kept");
    }
}
