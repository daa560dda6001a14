package dev.kvorum.simulation.run;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.simulation.verdict.Subject;
import org.junit.jupiter.api.Test;

class CampaignTest {
    /** Else a run in which nothing could be judged would be good. */
    @Test
    void seedThatEndsWithoutAVerdictFailsTheRun() {
        Subject broken = run -> {
            throw new NoSuchMethodError("of another version");
        };

        assertThatThrownBy(() -> new Campaign(broken, failure -> {}, progress -> {}).run(1, 10))
                .isInstanceOf(IllegalStateException.class)
                .hasRootCauseInstanceOf(NoSuchMethodError.class);
    }
}
