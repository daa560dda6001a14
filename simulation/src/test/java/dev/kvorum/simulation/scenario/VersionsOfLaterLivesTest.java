package dev.kvorum.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.history.Answer;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Found by seeds 195 and others: a node issued versions that a former life of it had issued. Two writes had one version, and the replicas kept
 * whichever had the greater bytes.
 */
class VersionsOfLaterLivesTest {
    private static final String KEY = "k";

    /**
     * The life that ends within a sync interval has noted nothing, so the next one began where that had begun. It needs a node whose clock is
     * behind the others: else its clock would be further by then.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void nodeThatLosesPowerSoonAfterItsStartBeginsAboveThatLife(long seed) {
        Scenario scenario = new Scenario(seed, 3);
        scenario.cluster.machine("n3").clock().set(Duration.ofSeconds(-5));
        assertThat(scenario.write("n1", KEY, "of a clock ahead", 3, 3).isOk()).isTrue();
        scenario.pass(Duration.ofSeconds(1));
        restart(scenario);

        Answer first = scenario.write("n3", KEY, "first", 2, 3);
        restart(scenario);
        Answer second = scenario.write("n3", KEY, "second", 2, 3);

        assertThat(Scenario.versionOf(second)).isGreaterThan(Scenario.versionOf(first));
        scenario.pass(Duration.ofSeconds(20)); // Until n3 has compared what it holds: it answers no read before.
        assertThat(scenario.read("n1", KEY, 3, 3).value()).isEqualTo("second");
    }

    private static void restart(Scenario scenario) {
        scenario.cluster.losePower("n3");
        scenario.pass(Duration.ofMillis(5));
        scenario.cluster.start("n3");
    }

    /** Nothing is left of what it had noted, and its clock shows the same millisecond again. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void nodeThatLostItsDiskIssuesNoVersionTwice(long seed) {
        Scenario scenario = new Scenario(seed, 3);
        scenario.pass(Duration.ofMillis(1));
        Duration then = scenario.now();
        Answer first = scenario.write("n3", KEY, "first", 1, 3);
        scenario.cluster.loseDisk("n3");
        scenario.cluster.machine("n3").clock().set(then.minus(scenario.now()));
        scenario.cluster.start("n3");

        Answer second = scenario.write("n3", "another", "second", 1, 3);

        assertThat(Scenario.versionOf(second))
                .startsWith(Scenario.versionOf(first).substring(0, 12))
                .isNotEqualTo(Scenario.versionOf(first));
    }
}
