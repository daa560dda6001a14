package dev.kvorum.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.load.scenario.FaultPlan;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DescribedTest {
    @Test
    void proxyThatHoldsNothingBackIsNoSlowNode() {
        FaultPlan.Slow proxied = new FaultPlan.Slow(3, Duration.ZERO, Duration.ZERO);
        FaultPlan.Slow slow = new FaultPlan.Slow(3, Duration.ofMillis(5), Duration.ZERO);

        assertThat(Described.fault(proxied)).isEqualTo("requests to n3 go through a proxy that holds nothing back");
        assertThat(Described.fault(slow)).isEqualTo("requests to n3 take 5 ms longer");
    }
}
