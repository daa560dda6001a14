package dev.kvorum.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RefusalWaitsTest {
    private static final String SUM = "kvorum_client_waits_seconds_sum.refused";
    private static final String COUNT = "kvorum_client_waits_seconds_count.refused";

    @Test
    void meanIsOfThoseWhoWereRefusedInBetween() {
        RefusalWaits before = RefusalWaits.of(Map.of(SUM, 1.0, COUNT, 10.0)).orElseThrow();
        RefusalWaits after = RefusalWaits.of(Map.of(SUM, 1.5, COUNT, 60.0)).orElseThrow();

        assertThat(after.meanMillisSince(before)).isCloseTo(10, within(0.001));
        assertThat(after.meanMillisSince(after)).isZero();
    }

    @Test
    void nodeThatDoesNotTellIsNotTakenForOneWhereNobodyWaits() {
        assertThat(RefusalWaits.of(Map.of(COUNT, 10.0))).isEmpty();
        assertThat(RefusalWaits.of(Map.of("kvorum_client_waits_seconds_sum.served", 1.0, COUNT, 10.0)))
                .isEmpty();
    }
}
