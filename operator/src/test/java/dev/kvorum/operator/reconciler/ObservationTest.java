package dev.kvorum.operator.reconciler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What people write. */
class ObservationTest {
    @Test
    void idsMayHaveSpaceAroundThemAndNothingIsNone() {
        assertThat(Observation.ids("demo-3, demo-4 ,")).containsExactlyInAnyOrder("demo-3", "demo-4");
        assertThat(Observation.ids("")).isEmpty();
    }
}
