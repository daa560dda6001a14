package dev.kvorum.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.Copy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What brings a write to a replica that missed it, one way at a time. */
class MissedWritesTest {
    private static final List<String> KEYS = List.of("k");
    private final Scenario scenario = new Scenario(1, 3);

    private List<String> held() {
        return scenario.cluster.copies(KEYS).stream()
                .map(Copy::value)
                .distinct()
                .toList();
    }

    @Test
    void hintIsBroughtWhenTheReplicaIsBack() {
        scenario.cluster.kill("n3");
        assertThat(scenario.write("n1", "k", "missed", 2, 3).isOk()).isTrue();
        assertThat(held()).containsExactly("missed", null);

        scenario.cluster.start("n3");
        scenario.pass(Duration.ofSeconds(10));

        assertThat(held()).containsExactly("missed");
    }

    @Test
    void hintIsKeptWhileItsCoordinatorIsDown() {
        scenario.cluster.kill("n3");
        assertThat(scenario.write("n1", "k", "missed", 2, 3).isOk()).isTrue();
        scenario.pass(Duration.ofMillis(100));

        scenario.cluster.kill("n1");
        scenario.cluster.start("n3");
        scenario.pass(Duration.ofSeconds(10));
        assertThat(held()).containsExactly("missed", null);

        scenario.cluster.start("n1");
        scenario.pass(Duration.ofSeconds(10));
        assertThat(held()).containsExactly("missed");
    }

    /** The coordinator's disk is lost, and its hint with it. */
    @Test
    void readMendsWhatNoHintIsLeftFor() {
        scenario.cluster.kill("n3");
        assertThat(scenario.write("n1", "k", "missed", 2, 3).isOk()).isTrue();
        scenario.cluster.loseDisk("n1");
        scenario.cluster.start("n1");
        scenario.cluster.start("n3");
        scenario.pass(Duration.ofSeconds(10));
        assertThat(held()).containsExactly(null, "missed");

        assertThat(scenario.read("n2", "k", 3, 3).value()).isEqualTo("missed");
        scenario.pass(Duration.ofSeconds(1));

        assertThat(held()).containsExactly("missed");
    }
}
