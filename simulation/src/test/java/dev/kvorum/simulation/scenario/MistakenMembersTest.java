package dev.kvorum.simulation.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Addresses and topologies with mistakes. */
class MistakenMembersTest {
    private static final String KEY = "k";

    /** One process is one replica, however many addresses lead to it. */
    @Test
    void memberBehindTheAddressOfAnotherCountsOnce() {
        Scenario scenario = new Scenario(1, 3);
        scenario.cluster.network().mislead("n2", "n1");

        assertThat(scenario.write("n3", KEY, "two", 2, 3).isOk()).isTrue();
        assertThat(scenario.write("n3", KEY, "three", 3, 3).isOk()).isFalse();
        assertThat(scenario.write("n1", KEY, "three", 3, 3).isOk()).isFalse();

        scenario.cluster.network().correct("n2");
        scenario.pass(Duration.ofSeconds(5));
        assertThat(scenario.write("n3", KEY, "right", 3, 3).isOk()).isTrue();
    }
}
