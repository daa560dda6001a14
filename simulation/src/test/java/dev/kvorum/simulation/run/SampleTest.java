package dev.kvorum.simulation.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.simulation.verdict.Run;
import dev.kvorum.simulation.verdict.Verdict;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A sample of seeds; {@code make simulate} runs as many as one likes. */
class SampleTest {
    private static final int SEEDS = 60;

    @Test
    @Tag("check")
    void allPromisesAreKeptUnderAllFaults() {
        Campaign campaign = new Campaign(Simulation::run, verdict -> {}, now -> {}).run(1, SEEDS);

        System.out.println(campaign.summary());
        assertThat(campaign.failures().stream().map(Verdict::report)).isEmpty();
    }

    @Test
    void simulationStartsNoThread() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();

        var _ = Simulation.run(Run.of(1));

        Set<Thread> started = new HashSet<>(Thread.getAllStackTraces().keySet());
        started.removeAll(before);
        assertThat(started).isEmpty();
    }
}
