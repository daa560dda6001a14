package dev.kvorum.load.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.chaos.fault.AddressFaults.Count;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AddressCountTest {
    @Test
    void onlyMeetingsOfTheMeantimeCount() {
        Map<String, Count> before = Map.of("n1", new Count(1, 50), "n2", new Count(1, 7));

        assertThat(Count.between(before, Map.of("n1", new Count(1, 53), "n2", new Count(1, 7))))
                .isEqualTo(3);
    }

    @Test
    void nodeThatWasStartedAgainCountsFromNothing() {
        Map<String, Count> before = Map.of("n1", new Count(1, 50));

        assertThat(Count.between(before, Map.of("n1", new Count(2, 4)))).isEqualTo(4);
    }

    @Test
    void nodeThatAnsweredOnlyOnceDoesNotCount() {
        Map<String, Count> once = Map.of("n1", new Count(1, 50));

        assertThat(Count.between(once, Map.of())).isZero();
        assertThat(Count.between(Map.of(), once)).isZero();
    }
}
